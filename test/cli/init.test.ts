import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runPayhooks, temporaryDirectory } from './payhooks-process.ts';

const read = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8');

describe('payhooks init', () => {
  it('without a terminal makes a project of the defaults, in the region of the environment', async () => {
    const folder = join(await temporaryDirectory(), 'My Shop');
    const { code, stdout } = await runPayhooks(['init', folder], { env: { AWS_REGION: 'eu-west-1' } });
    expect([code, stdout.split('\n').slice(1)]).toEqual([
      0,
      [
        'Next:',
        `  cd '${folder}'`,
        '  npm install',
        '  npm start',
        '  npm test',
        '  npx payhooks deploy',
        '',
      ],
    ]);
    const app = await read(folder, 'bin', 'app.ts');
    expect(app).toContain("env: { region: 'eu-west-1' }");
    expect(app.slice(app.indexOf('new Payhooks'))).toBe(
      "new Payhooks(stack, 'Default', {\n  signatureHeader: 'x-service-signature',\n});\n",
    );
    const { name, scripts, dependencies } = JSON.parse(await read(folder, 'package.json'));
    expect([name, scripts.start, dependencies.payhooks]).toEqual([
      'my-shop',
      'payhooks dev',
      manifest.version,
    ]);
    expect(await read(folder, '.github', 'workflows', 'test.yml')).toContain('run: npm test');
  });

  it('at a terminal asks until each answer is valid, and prints the command that repeats them', async () => {
    const folder = await temporaryDirectory();
    const certificate = 'arn:aws:acm:eu-central-1:111122223333:certificate/a-1';
    const typed = ['Frankfurt', 'eu-central-1', '111122223333', 'x-signature', 'https://pay.example', ''];
    const { code, stdout, stderr } = await runPayhooks(['init', folder], {
      typed: [...typed, 'oncall@shop.example', 'hooks.shop.example', '', certificate],
    });
    expect(stderr).toContain('Expected a region of AWS, such as eu-west-1.\n');
    expect([code, await read(folder, 'bin', 'app.ts')]).toEqual([
      0,
      expect.stringMatching(/alarmEmail: 'oncall@shop.example',\n {2}webhookDomain: /),
    ]);
    const [, command = ''] = /: npx payhooks (init --yes .*)/.exec(stdout) ?? [];
    expect(command).toContain('--service-url https://pay.example --authentication private-key');
    const other = join(await temporaryDirectory(), 'other');
    await runPayhooks([...command.split(' '), other]);
    expect(await read(other, 'bin', 'app.ts')).toBe(await read(folder, 'bin', 'app.ts'));
  });

  it.each([
    [[], 'These have no default: --region (a region of AWS, such as eu-west-1).'],
    [['--domain', 'hooks.shop.example'], '--certificate (arn:aws:acm:REGION:ACCOUNT:certificate/ID)'],
    [['--account', "1'"], `--account: given "1'", expected 12 digits.`],
    [['--service-url', 'http://pay.example'], 'expected an https URL'],
    [['--service-url', 'https://pay.example/api/v2'], 'expected an https URL in lower case, without a path'],
    [['--alarm-email', 'oncall@shop'], 'expected an e-mail address'],
    [['--authentication', 'oauth'], '--authentication is given without --service-url.'],
  ])('without a terminal refuses what it cannot use, and writes nothing: %j', async (options, message) => {
    const folder = await temporaryDirectory();
    const { code, stderr } = await runPayhooks(['init', folder, ...options], { env: { AWS_REGION: 'here' } });
    expect([code, stderr, await readdir(folder)]).toEqual([2, expect.stringContaining(message), []]);
  });

  it('refuses a folder that is not empty, but not a new repository of git', async () => {
    const folder = await temporaryDirectory();
    const init = () => runPayhooks(['init', folder, '--region', 'eu-west-1']);
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, 'notes.txt'), '');
    const { code, stderr } = await init();
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not empty: it has notes.txt')]);
    expect(await readdir(folder)).toEqual(['.git', 'notes.txt']);
    const clone = await temporaryDirectory();
    await mkdir(join(clone, '.git'));
    expect((await runPayhooks(['init', clone, '--region', 'eu-west-1'])).code).toBe(0);
  });
});
