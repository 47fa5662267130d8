import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, privateKey } from '../acceptance/pipeline.ts';
import { npmFlags, pack, tarballsIn } from '../heavy/tarballs.ts';
import { blocksIn, openReader, type Reader } from './reader.ts';
import { openTerminalSession, type Reply, type TerminalSession } from './terminal-session.ts';

// Types the section 'In one command' of docs/deploy.md into a terminal, in an empty folder.
const [section] = blocksIn('sh').filter(({ heading }) => heading === 'In one command');
const commands = (section?.commands ?? '').trimEnd().split('\n');

let reader: Reader;
let folder: string;
let terminal: TerminalSession;
/** `npm run recording` names a file for what was on the screen, and shows it in the README. */
const recording = process.env['RECORD_TERMINAL'];
let recorded = '';
const dist = () => join(reader.ministack.folder, 'dist');

beforeAll(async () => {
  reader = await openReader();
  folder = join(reader.ministack.folder, 'empty');
  await mkdir(folder);
  await pack(dist());
  terminal = openTerminalSession({ folder, environment: reader.environment });
  const outside = `HOME='${homedir()}' NODE_EXTRA_CA_CERTS='${process.env['NODE_EXTRA_CA_CERTS'] ?? ''}'`;
  await terminal.run(`npm() { ${outside} command npm "$@" ${npmFlags.join(' ')}; }`);
});
afterAll(async () => {
  if (recording !== undefined) await writeFile(recording, recorded);
  await reader?.stop();
});

/** Types a command; returns what is on the screen then. */
async function type(command: string, replies: readonly Reply[] = [], expected = 0): Promise<string> {
  const [payhooks = '', local = ''] = tarballsIn(dist());
  const ran = await terminal.run(command.replace('PAYHOOKS', payhooks).replace('LOCAL', local), replies);
  expect(ran, `${command}\n${ran.screen}`).toMatchObject({ code: expected });
  expect(ran.screen).not.toContain(privateKey);
  recorded += `$ ${command}\n${ran.screen}\n`;
  return ran.screen;
}

const answers = ['', '', '', 'https://pay.example', '', 'oncall@shop.example', ''];
const replies: readonly Reply[] = [
  { prompt: /^Run npx cdk bootstrap .* now\? \[y\/N\] $/m, typed: 'y' },
  { prompt: /Do you wish to deploy these changes.*$/, typed: 'y' },
  { prompt: /\(it is not shown\): $/, typed: privateKey },
];
const deploy = commands.at(-1) ?? '';

it('payhooks init makes a project that npm installs', async () => {
  for (const command of commands.slice(0, -1))
    await type(
      command,
      answers.map((typed) => ({ prompt: /\]: $/, typed })),
    );
  const app = join(folder, 'shop/bin/app.ts');
  const text = await readFile(app, 'utf8');
  await writeFile(app, text.replace('https://pay.example', reader.paymentService));
});

it.skipIf(recording !== undefined)('Ctrl-C stops payhooks deploy', async () => {
  const interrupt = { prompt: /CREATE_IN_PROGRESS +\| AWS::SQS::Queue/, typed: '\u0003' };
  const screen = await type(deploy, [...replies.slice(0, 2), interrupt], 130);
  expect(screen).toMatch(/Stopped at cdk deploy.*Run the same command again/s);
});

it('payhooks deploy leads to a heartbeat', async () => {
  const screen = await type(deploy, replies);
  expect(screen).toMatch(/✓ cdk bootstrap .*✅ {2}payments.*✓ live key .*✓ webhook .*✓ heartbeat .*\$4\.51/s);
});

it('the order that a customer pays is paid', async () => {
  await reader.pay();
  const show = 'npx payhooks orders show order-1001 --stack payments';
  await eventually(
    () => terminal.run(show),
    ({ code }) => code === 0,
  );
  expect(await type(show)).toMatch(/^order-1001 is paid$/m);
});

it('payhooks deploy, repeated, asks nothing and finds everything done', async () => {
  const screen = await type(`CDK_FORCE=false ${deploy}`);
  expect(screen).toMatch(/✅ {2}payments \(no changes\).*✓ live key +already done: /s);
  expect(screen).toMatch(/\/webhooks\/payments is already registered, live, .*✓ webhook /s);
});
