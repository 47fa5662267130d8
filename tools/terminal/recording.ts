import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AlarmView } from '../../local/pipeline/alarms.ts';
import { createOperator } from '../drill/operator.ts';

const root = join(import.meta.dirname, '..', '..');
const alarm = 'EventsQuarantined';
const patienceMilliseconds = 60_000;
/** The steps of the demo that are shown; the last one leaves the event that the operator repairs. */
const shownSteps = [
  'An order is paid',
  'The same notification arrives again',
  'A refund arrives before its payment',
  'An order is paid twice',
  'A forged event is refused',
  'The sandbox key signs an event that claims to be live',
];

/** What a terminal shows: parts of the demo, `payhooks status`, and the act that ends its alarm. */
export async function recordTerminal(): Promise<readonly string[]> {
  const command = ['--conditions=payhooks-source', 'local/start.ts', '--port', '0', '--service-port', '0'];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const demo = await demoOf(child.stdout);
    const baseUrl = /^ready (\S+)$/m.exec(demo)?.[1] ?? '';
    const eventId = /event (\S+) is quarantined/.exec(demo)?.[1] ?? '';
    await untilFiring(baseUrl);
    const id = await wholeId(baseUrl, eventId);
    const status = await typed(baseUrl, 'payhooks status');
    const act = await typed(
      baseUrl,
      `payhooks events admit ${id} --sandbox --reason "sandbox key was in use"`,
    );
    const lines = ['$ npm start', ...shownOf(demo), '', ...alarmOf(status), '', ...act];
    return lines.map((line) => line.replaceAll(baseUrl, 'http://127.0.0.1:4800'));
  } finally {
    child.kill('SIGKILL');
  }
}

/** The output up to the end of the demo. */
async function demoOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk.toString();
    if (/^Open the console/m.test(text)) return text;
  }
  throw new Error(`Local mode ended before the end of its demo:\n${text}`);
}

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

/** The command, and its output about the alarm. */
function alarmOf([command = '', target = '', ...lines]: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.includes(`${alarm}, on for`));
  const end = lines.findIndex((line, index) => index > start && line.includes('docs/runbook.md#'));
  return [command, target, '  …', ...lines.slice(start, end + 1), '  …'];
}

async function typed(baseUrl: string, command: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const type = createOperator({ baseUrl, now: Date.now, say: (line) => lines.push(line) });
  await type(command);
  return lines;
}

async function untilFiring(baseUrl: string): Promise<void> {
  for (let waited = 0; waited < patienceMilliseconds; waited += 250) {
    const alarms = (await (await fetch(`${baseUrl}/alarms`)).json()) as readonly AlarmView[];
    if (alarms.some(({ name, state }) => name === alarm && state === 'ALARM')) return;
    await pause(250);
  }
  throw new Error(`${alarm} did not fire within ${patienceMilliseconds / 1_000} seconds.`);
}

/** The demo shows the beginning of an id. */
async function wholeId(baseUrl: string, beginning: string): Promise<string> {
  const waiting = await fetch(`${baseUrl}/operations/waiting?kind=quarantined&mode=sandbox`);
  const found = new RegExp(`"(${beginning.replace('…', '')}[^"]*)"`).exec(await waiting.text());
  if (found?.[1] === undefined) throw new Error(`The event ${beginning} does not wait.`);
  return found[1];
}
