import { setTimeout as pause } from 'node:timers/promises';
import { startLocalMode } from '../../local/command/local-process.ts';
import { createOperator } from '../drill/operator.ts';

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
  const local = await startLocalMode([]);
  try {
    const { baseUrl } = local;
    const demo = await local.printed(/^Open the console/m);
    const beginning = /Event (\w+)… waits for a person as quarantined/.exec(demo)?.[1] ?? '';
    const read = async (path: string): Promise<string> => (await fetch(`${baseUrl}${path}`)).text();
    await until(async () => new RegExp(`"${alarm}","state":"ALARM"`).test(await read('/alarms')));
    const waiting = await read('/operations/waiting?kind=quarantined&mode=sandbox');
    const id = new RegExp(`"(${beginning}[^"]+)"`).exec(waiting)?.[1];
    const status = await typed(baseUrl, 'payhooks status', 1);
    const act = await typed(
      baseUrl,
      `payhooks events admit ${id} --sandbox --reason "sandbox key was in use"`,
    );
    const lines = ['$ npm start', ...shownOf(demo), '', ...alarmOf(status), '', ...act];
    return lines.map((line) => line.replaceAll(baseUrl, 'http://127.0.0.1:4800'));
  } finally {
    await local.kill('SIGTERM');
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < patienceMilliseconds; waited += 250) {
    if (await isDone()) return;
    await pause(250);
  }
  throw new Error(`${alarm} did not fire within ${patienceMilliseconds / 1_000} seconds.`);
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

async function typed(baseUrl: string, command: string, exitCode = 0): Promise<readonly string[]> {
  const lines: string[] = [];
  const type = createOperator({ baseUrl, now: Date.now, say: (line) => lines.push(line) });
  await type(command, { exitCode });
  return lines;
}
