import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { privateKey, sandboxKey } from '../acceptance/pipeline.ts';
import { callScheduledSqs } from './aws-calls.ts';
import { blocksIn, openReader, type Reader } from './reader.ts';
import { openTerminalSession, type Reply, type TerminalSession } from './terminal-session.ts';

// Types every other command of docs/deploy.md into a terminal, from top to bottom.
const repository = join(import.meta.dirname, '..', '..');
const blocks = blocksIn('sh');

let reader: Reader;
let terminal: TerminalSession;

beforeAll(async () => {
  reader = await openReader();
  const clone = await cloneRepository(join(reader.ministack.folder, 'payhooks'));
  await writeSettings(join(clone, 'cdk.json'));
  terminal = openTerminalSession({ folder: clone, environment: reader.environment });
});
afterAll(() => reader?.stop());

/** Not typed here: first-order.test.ts types the one, and .ci/run itself begins with the other. */
const omitted = ['In one command', '1. What you need'];

const replies: readonly Reply[] = [
  { prompt: /\(it is not shown\): $/, typed: privateKey },
  // MiniStack reads a secret without a value as an empty text, so the command asks before it replaces it.
  { prompt: /Replace the whole key secret\?.*\[y\/N\] $/, typed: 'y' },
  { prompt: /\(it is not shown\): $/, typed: sandboxKey },
  { prompt: /Do you wish to deploy these changes.*$/, typed: 'y' },
];

/** What is on the screen after each section; a reader would stop where it is not. */
const seen: Readonly<Record<string, RegExp>> = {
  '3. Prepare the account': /bootstrapped.*\n\d+\n$/s,
  '4. Deploy': /✅ {2}payhooks-production.*\nhttps:\S+\/webhooks\/payments\n.*✅ {2}payhooks-production/s,
  '5. Keys': /\blive\b.*\bcurrent\b.*\bsandbox\b.*\bcurrent\b/s,
  '6. Prove it': /✓ heartbeat .*\b0 failed\b/s,
  '8. Register the webhook': /transaction\.paid,transaction\.refunded/,
  '9. The first live order': /^order-1001 is paid\b.*\bapplied\b/ms,
  '10. Who reads the orders': /order-reader/,
  '11. From GitHub, without access keys': /payments-deployer/,
  'Several environments in one account': /bootstrapped/,
  'Changing a setting, and upgrading': /✓ heartbeat .*\b0 failed\b/s,
  'Tearing it down': /\/webhooks\/payments .*payhooks-production: destroyed/s,
};

/** The payment service is the simulator here. */
const substituted = (text: string): string => text.replaceAll('https://pay.example', reader.paymentService);

/** What a reader does away from the terminal, before the commands of a section. */
const deeds: Readonly<Record<string, () => Promise<void>>> = {
  async '6. Prove it'() {
    // In the region of the page.
    await callScheduledSqs({ ...reader.ministack, region: 'eu-west-1' });
    // MiniStack drops the expiry of a table.
    await terminal.run('npx payhooks repair --stack payhooks-production --yes');
  },
  '9. The first live order': () => reader.pay(),
};

it('covers every section of docs/deploy.md that has commands', () => {
  const headings = new Set(blocks.map(({ heading }) => heading));
  expect(new Set([...omitted, ...Object.keys(seen)])).toEqual(headings);
});

let stoppedAt: string | undefined;

for (const heading of Object.keys(seen)) {
  it(`works as documented: ${heading}`, async () => {
    expect(stoppedAt, 'a section before this one did not work').toBe(undefined);
    stoppedAt = heading;
    await deeds[heading]?.();
    let screen = '';
    for (const { commands } of blocks.filter((block) => block.heading === heading)) {
      const ran = await terminal.run(substituted(commands), replies);
      screen += ran.screen;
      expect(ran, `${commands}\n${ran.screen}`).toMatchObject({ code: 0 });
    }
    expect(screen).toMatch(seen[heading] ?? /^$/);
    expect(screen).not.toContain(privateKey);
    stoppedAt = undefined;
  });
}

/** The files of the repository, with its installed packages. */
async function cloneRepository(folder: string): Promise<string> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: repository });
  for (const file of stdout.split('\n').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repository, file), join(folder, file));
  }
  for (const packages of globSync(['node_modules', '{packages,tools}/*/node_modules'], { cwd: repository })) {
    await symlink(join(repository, packages), join(folder, packages));
  }
  return folder;
}

/** Writes the JSON of the page into `cdk.json`, with the address of the simulator. */
async function writeSettings(file: string): Promise<void> {
  const [settings] = blocksIn('json');
  const cdk = JSON.parse(await readFile(file, 'utf8')) as {
    context: { environments: Record<string, unknown> };
  };
  Object.assign(cdk.context.environments, JSON.parse(substituted(settings?.commands ?? '')));
  await writeFile(file, JSON.stringify(cdk));
}
