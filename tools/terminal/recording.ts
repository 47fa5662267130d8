/**
 * `npm run recording`: draws what the README shows of a terminal, docs/terminal.svg from the demo of local
 * mode, and docs/deploy.svg from a test on MiniStack.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pictureOf } from './picture.ts';

const title = 'npm start sends signed events, and shows what becomes of each';
const shownSteps = [
  'An order is paid',
  'The same notification arrives again',
  'A refund arrives before its payment',
  'An order is paid twice',
  'A forged event is refused',
  'The sandbox key signs an event that claims to be live',
];

/** Without the live log and the commands to copy. */
function shownOf(demo: string): readonly string[] {
  const ready = demo.split('\n').filter((line) => /^(ready | +console )/.test(line));
  const steps = shownSteps.flatMap((title) => {
    const [step] = new RegExp(`^ ?\\d+\\. ${title}\n(?:.+\n)*`, 'm').exec(demo) ?? [];
    if (step === undefined) throw new Error(`The demo has no step "${title}".`);
    return step.split('\n').filter((line) => /^( ?\d+\. | +attention: | {4}\S.* → )/.test(line));
  });
  return [...ready, '', ...steps];
}

function draw(file: string, lines: readonly string[], title: string): void {
  writeFileSync(join(import.meta.dirname, '../../docs', file), pictureOf(lines, title));
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** What is on the screen of a test that types into a terminal. */
function recordTest(test: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-recording-'));
  const env = { ...process.env, RECORD_TERMINAL: join(folder, 'screen') };
  try {
    const argv = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'deploy', test];
    execFileSync(process.execPath, argv, { env, stdio: 'inherit' });
    return readFileSync(env.RECORD_TERMINAL, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Up to the paid order, without progress, outputs, and what an emulator leaves out. */
function deploymentOf(screen: string): readonly string[] {
  const [deployment = '', order = ''] = screen.split(/(?=^\$ npx payhooks orders)/m);
  const kept = /^\$ |\]: |^[✓✗] .+? {2}|^(Run npx|Do you|✅|Private|Cost|Pay) /;
  const steps = deployment
    .split('\n')
    .map((line) => line.replace(/^.*…(?=[✓✗] |Private key)/, ''))
    .filter((line) => kept.test(line));
  const paid = order.slice(0, order.indexOf('\n\n$ ')).split('\n');
  // Few fonts have the mark of the CDK.
  const shorten = (line: string) => line.replace(/localhost:\d+/, 'localhost').replace(/^✅ +/, '✓ ');
  return [...steps, ...paid].map((line) => shorten(line).trimEnd());
}

const start = ['local/start.ts', '--port', '0', '--service-port', '0'];
const local = spawn(process.execPath, start, { stdio: ['ignore', 'pipe', 'inherit'] });
let demo = '';
for await (const chunk of local.stdout.setEncoding('utf8')) {
  demo += chunk;
  if (/^Open the console/m.test(demo)) break;
}
local.kill();
const [, address = ''] = /^ready (\S+)$/m.exec(demo) ?? [];
const shown = shownOf(demo.replaceAll(address, 'http://127.0.0.1:4800'));
draw('terminal.svg', ['$ npm start', ...shown], title);
const deployment = deploymentOf(recordTest('test/deploy/first-order.test.ts'));
draw('deploy.svg', deployment, 'From an empty folder to a paid order');
