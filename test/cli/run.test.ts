import { spawn } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { createTerminal, type Terminal } from '../../cli/terminal.ts';
import manifest from '../../package.json' with { type: 'json' };
import { recordTerminal } from '../doubles/terminal.ts';
import { runPayhooks, spawnPayhooks, temporaryDirectory } from './payhooks-process.ts';

const groups = ['status', 'webhooks', 'account', 'token', 'keys', 'send', 'orders', 'dlq', 'reconcile'];
const commands = [
  ...['status', 'account', 'send', 'reconcile', 'restore', 'smoke', 'token set', 'dlq redrive'],
  ...['webhooks list', 'webhooks audit', 'keys list', 'keys expire', 'orders show', 'orders resolve'],
];

describe('payhooks --help', () => {
  it('lists the commands, the environment and the exit codes', async () => {
    const { code, stdout, stderr } = await spawnPayhooks(['--help']);
    for (const group of groups) expect(stdout).toMatch(new RegExp(`^  ${group}[ |]`, 'm'));
    for (const name of ['SERVICE_URL', 'PRIVATE_KEY', 'OAUTH_REFRESH_TOKEN']) {
      expect(stdout).toContain(`PAYHOOKS_${name}`);
    }
    expect(stdout.match(/^ {2}[0-4] {2}\S.*$/gm)).toHaveLength(5);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each(commands)('of %s has examples, and options for the target and JSON', async (command) => {
    const { code, stdout } = await runPayhooks([...command.split(' '), '--help']);
    for (const word of ['Examples:', '--stack', '--local', '--json']) expect(stdout).toContain(word);
    expect(code).toBe(0);
  });
});

describe('payhooks help', () => {
  it.each(['webhooks', 'webhooks update', 'send'])('shows what --help shows: %s', async (command) => {
    const words = command.split(' ');
    const help = await runPayhooks(['help', ...words]);
    expect(help.stdout).toMatch(new RegExp(`^Usage: payhooks ${command} `));
    expect(help).toEqual(await runPayhooks([...words, '--help']));
  });
});

it.each(['--version', '-V'])('%s prints the version of the package', async (option) => {
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(await runPayhooks([option])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

describe('an error with --json', () => {
  it.each([
    ['an unknown option', 'keys list --nope', 2, 'wrong_usage', "unknown option '--nope'"],
    ['an unknown command', 'nonsense', 2, 'wrong_usage', "unknown command 'nonsense'"],
    ['a key among the arguments', 'keys set pri_secret', 2, 'wrong_usage', 'looks like a private key'],
    ['a local mode that does not run', 'keys list --local', 4, 'unreachable', 'Local mode does not run'],
  ])('is one line of JSON on standard error: %s', async (_, line, exitCode, type, message) => {
    const { code, stdout, stderr } = await runPayhooks([...line.split(' '), '--json']);
    expect([code, stdout, stderr.trimEnd().includes('\n')]).toEqual([exitCode, '', false]);
    const expected = { type, message: expect.stringContaining(message), exit_code: exitCode };
    expect(JSON.parse(stderr)).toEqual({ error: expected });
  });
});

describe('a wrong command line', () => {
  it.each([
    ['', 'Usage: payhooks'],
    ['webhooks', 'Usage: payhooks webhooks'],
    ['nonsense', "unknown command 'nonsense'\n(add --help for usage)"],
    ['webhooks list more', 'Expected 0 arguments but got 1: more'],
    ['webhooks list --nope', "unknown option '--nope'"],
    ['account --stack a --local', "'--stack <name>' cannot be used with option '--local [url]'"],
    ['send --repeat 0', "argument '0' is invalid. Expected a whole number from 1 to 1000."],
    ['send --url shop.example', "argument 'shop.example' is invalid. Expected an http or https URL."],
    ['webhooks audit --events a,,b', "argument 'a,,b' is invalid. Expected event names separated by commas"],
    ['webhooks update x', 'There is nothing to change: give --url, --events, or both.'],
    ['events list --kind nonsense', 'Allowed choices are unassigned, quarantined, order_refused, conflict,'],
    ['events list --since lately', 'Expected 2h, 30m, today, yesterday'],
    ['events list --limit 0', 'Expected a whole number from 1 to 999999.'],
    ['events show', 'Give the id of an event'],
    ['events show --body-sha256 abc', 'Expected 64 lowercase hexadecimal digits.'],
    [
      `events show evt-1 --body-sha256 ${'1'.repeat(64)}`,
      'With an id, --body-sha256 selects one of its bodies',
    ],
    ['events admit --reason test', 'Give the id of an event'],
    ['events dismiss --reason test', 'Give the id of an event'],
    ['events dismiss evt-1 --name transaction.odd', 'Give the id of an event'],
    ['orders list --status Paid', 'pending, failed, paid'],
    ['orders list --attention all', 'any, multiple_paid_transactions'],
    ['orders list --limit 0', 'a whole number from 1 to 10000'],
    ['replay', 'Give one of --event, --order, and --since or --until.'],
    ['replay --event e1 --order A', 'Give one of --event, --order, and --since or --until.'],
    ['replay --order A --rate 0', 'Expected a whole number from 1 to 1000'],
    ['erase --event e1 --order A', 'Give one of --event, --order and --body-sha256.'],
    ['keys add --overlap 0.5h', 'Expected a time up to 90 days'],
    ['keys add --overlap 24', 'Expected a time up to 90 days'],
    ['keys add --overlap 91d', 'Expected a time up to 90 days'],
    // The value of an unknown option may be a secret.
    ['token set --client-secret=very-secret', "error: unknown option '--client-secret=…'\n"],
  ])('exits with 2 and names what is wrong: payhooks %s', async (line, message) => {
    const { code, stdout, stderr } = await runPayhooks(line.split(' ').filter((word) => word !== ''));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it.each(['keys set pri_secret_key', "keys --key='pri_secret_key'", 'pri_secret_key'])(
    'with a key is refused first, without quoting the key: payhooks %s',
    async (line) => {
      const { code, stdout, stderr } = await runPayhooks(line.split(' '));
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('looks like a private key');
      expect(stderr).toContain('Every user of the machine can see');
      expect(stderr).not.toContain('secret_key');
    },
  );
});

describe('the terminal', () => {
  const stream = (isTTY: boolean) =>
    Object.assign(new PassThrough(), { isTTY, hasColors: () => isTTY, getColorDepth: () => (isTTY ? 8 : 1) });
  const written = async (isTTY: boolean, work: (terminal: Terminal) => void) => {
    const [out, err] = [stream(isTTY), stream(isTTY)];
    work(createTerminal(out as unknown as NodeJS.WriteStream, err as unknown as NodeJS.WriteStream));
    out.end();
    err.end();
    return Promise.all([text(out), text(err)]);
  };

  it('shows progress on a terminal, and erases it; elsewhere a line every ten seconds', async () => {
    const clock = vi.spyOn(performance, 'now');
    const work = ({ progress, print }: Terminal) => {
      progress('Waiting …');
      clock.mockReturnValue(performance.now() + 11_000);
      progress('Still waiting …');
      print('done');
    };
    expect(await written(true, work)).toEqual([
      'done\n',
      '\r\u001b[2KWaiting …\r\u001b[2KStill waiting …\r\u001b[2K',
    ]);
    expect(await written(false, work)).toEqual(['done\n', 'Still waiting …\n']);
  });

  it('gets help as wide as it is, with examples in one line', async () => {
    const columns = 60;
    const { terminal, lines } = recordTerminal();
    const program = await createProgram(['replay'], () => async () => {}, { ...terminal, columns });
    await program.parseAsync(['replay', '--help'], { from: 'user' }).catch(() => {});
    const help = lines.join('\n').split('\n');
    expect(help.filter((line) => line.length > columns)).toEqual([
      expect.stringMatching(/^ {2}payhooks replay /),
    ]);
    expect(help).toContain('Reads stored bodies again, with the deployed version and its');
  });

  it('strips escape sequences from cells', async () => {
    const [out] = await written(false, ({ table }) => table(['URL'], [['https://a\u001b[2J\u0007\u202eb']]));
    expect(out).toBe('URL\nhttps://ab\n');
  });
});

describe('bin/payhooks.cjs', () => {
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'payhooks.cjs');
  async function run(argv: readonly string[]) {
    const child = spawn(process.execPath, argv, { stdio: 'pipe', timeout: 120_000 });
    const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { stdout, stderr, code };
  }

  it('runs the command line and passes its exit code on', async () => {
    expect((await run([bin, '--help'])).stdout).toMatch(/^Usage: payhooks /);
    expect((await run([bin, 'nonsense'])).code).toBe(2);
  });

  /** A clone whose program prints its arguments, with a preload that makes this Node look old. */
  async function oldNodeIn(withNode: boolean) {
    const clone = await temporaryDirectory();
    await cp(join(bin, '..'), join(clone, 'bin'), { recursive: true });
    await mkdir(join(clone, 'cli'));
    const program = 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;';
    await writeFile(join(clone, 'cli', 'payhooks.ts'), program);
    await mkdir(join(clone, 'node_modules', '.bin'), { recursive: true });
    if (withNode) await symlink(process.execPath, join(clone, 'node_modules', '.bin', 'node'));
    const old = join(clone, 'old.cjs');
    await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });");
    return run(['-r', old, join(clone, 'bin', 'payhooks.cjs'), 'keys', 'a b']);
  }

  it('runs with the Node of the clone when it is started with an older one', async () => {
    expect(await oldNodeIn(true)).toEqual({ stdout: '["keys","a b"]\n', stderr: '', code: 3 });
  });

  it('names the Node that it needs when the clone has none', async () => {
    const { stdout, stderr, code } = await oldNodeIn(false);
    expect([stdout, code]).toEqual(['', 1]);
    expect(stderr).toContain('payhooks needs Node 24 or newer; this is Node 18.20.0');
  });
});
