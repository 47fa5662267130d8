/** `npm run recording`: draws docs/terminal.svg, which the README shows, from the demo of local mode. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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

const start = ['--conditions=payhooks-source', 'local/start.ts', '--port', '0', '--service-port', '0'];
const local = spawn(process.execPath, start, { stdio: ['ignore', 'pipe', 'inherit'] });
let demo = '';
for await (const chunk of local.stdout.setEncoding('utf8')) {
  demo += chunk;
  if (/^Open the console/m.test(demo)) break;
}
local.kill();
const [, address = ''] = /^ready (\S+)$/m.exec(demo) ?? [];
const shown = shownOf(demo.replaceAll(address, 'http://127.0.0.1:4800'));
writeFileSync(
  join(import.meta.dirname, '../../docs/terminal.svg'),
  pictureOf(['$ npm start', ...shown], title),
);
process.stdout.write(`${shown.join('\n')}\n`);
