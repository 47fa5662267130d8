/** `npm run test:aws`: asks a throw-away stack what only AWS can answer. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createInput } from '../../cli/input.ts';
import { takeStopSignals } from '../../cli/stop-signal.ts';
import { defaultRegion, readIdentity } from '../../operator/aws/account.ts';
import { explainError } from '../../operator/explain-error.ts';
import { OptionError, readFlags, readWholeNumber, runCommand } from '../command-line.ts';
import { costDocument } from '../cost-model/documents.ts';
import { hoursPerMonth, prices } from '../cost-model/prices.ts';
import { probes, readQuestions } from './questions.ts';
import { folder, proceed, readState } from './run.ts';
import { findOwnStack, type RunState, remove, stackName } from './stack.ts';

const usage = `npm run test:aws [-- --resume | --remove] [--yes] [--patience SECONDS]

Deploys a throw-away stack with the credentials of the AWS SDK, asks it the questions of docs/assumptions.md,
"What only AWS can answer", and removes it. It shows account, questions, time and cost, and asks first.

--resume    asks what had to wait, and removes the stack when no question is left
--remove    removes the stack; so does Ctrl-C, and a second Ctrl-C leaves it
--patience  how long an answer may take; 300 by default
`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const flag = { type: 'boolean', default: false } as const;
  const patience = { type: 'string', default: '300' } as const;
  const flags = readFlags(args, { resume: flag, remove: flag, yes: flag, patience });
  const patienceSeconds = readWholeNumber('--patience', flags.patience, 3_600) ?? 300;
  const former = readState();
  if ((flags.resume || flags.remove) !== (former !== undefined))
    throw new OptionError(former ? 'A run is under way: --resume or --remove.' : 'No run is under way.');
  const region = await defaultRegion();
  const { account } = await readIdentity(region);
  const here = { account, region };
  const privateKey = `pri_${randomBytes(16).toString('hex')}`;
  const state = former ?? { ...here, runId: randomUUID(), privateKey, answers: {} };
  if (state.account !== here.account || state.region !== here.region)
    throw new OptionError(`The run is in ${state.account}, ${state.region}; expected its credentials.`);
  await findOwnStack(former?.runId);
  if (former === undefined) printTable(state);
  print(`\nAccount ${state.account}, region ${state.region}, stack ${stackName}.`);
  if (!flags.remove) print(timeAndCost());
  const question = flags.remove ? `Remove ${stackName}?` : 'Go on?';
  await createInput(process.stdin, process.stderr).confirm(question, flags.yes ? { yes: true } : {});
  return flags.remove ? end(state) : run(patienceSeconds, state);
}

/** Asks until no question is left, a signal comes or something fails; then removes everything. */
async function run(patienceSeconds: number, state: RunState): Promise<number> {
  using stop = takeStopSignals();
  const { signal } = stop;
  signal.addEventListener('abort', () => {
    print('\nRemoving everything. A second Ctrl-C leaves it to: npm run test:aws -- --remove');
    process.once('SIGINT', () => process.exit(130));
  });
  let isFailed = false;
  try {
    if (await proceed({ patienceSeconds, signal, print }, state)) {
      printTable(state);
      print(`\n${stackName} stays for what has to wait: npm run test:aws -- --resume, or --remove`);
      return 0;
    }
  } catch (error) {
    isFailed = true;
    if (!signal.aborted) print(`\n${explainError(error, process.env).message}\nRemoving everything.`);
  }
  const code = await end(state);
  return stop.exitCode() ?? (isFailed ? 1 : code);
}

async function end(state: RunState): Promise<number> {
  const left = await remove(state);
  printTable(state);
  print(`\nLeft of ${stackName}: ${left.join(', ') || 'nothing'}.`);
  if (left.length > 0) return 1;
  rmSync(folder, { recursive: true });
  return Object.values(state.answers).every(({ isExpected }) => isExpected) ? 0 : 1;
}

/** Every question of the document, with its answer, or who asks it when. */
function printTable({ answers }: RunState): void {
  for (const { id, text, expected, byHand } of readQuestions()) {
    const { isExpected, evidence } = answers[id] ?? {};
    const mark = evidence === undefined ? '·' : { true: '✓', false: '✗', undefined: '?' }[`${isExpected}`];
    const { hours } = probes[id] ?? {};
    const probed = hours === undefined ? 'asked at once' : `asked ${hours} h later`;
    const when = byHand === '' ? probed : `by hand: ${byHand}`;
    print(`${mark} ${id}: ${text}\n    expected: ${expected}`);
    print(`    ${evidence === undefined ? when : `answer: ${evidence}`}`);
  }
}

/** The cost is that of an idle stack in docs/cost.md, with two keys and one more secret. */
function timeAndCost(): string {
  const [, idle = ''] = /^\| \*\*total\*\* .*\$([\d.]+)\*\*/m.exec(readFileSync(costDocument, 'utf8')) ?? [];
  const month = Number(idle) + 2 * prices.keyMonth.dollars + prices.secretMonth.dollars;
  const hours = Math.max(...Object.values(probes).map((probe) => probe.hours ?? 0));
  const dollars = ((month / hoursPerMonth) * hours).toFixed(2);
  return `It takes about 40 minutes, and half an hour ${hours} h later, with --resume. It costs up to $0.05
for requests, and $${dollars} if the stack stays for ${hours} h. What is left costs next to nothing: code in
the bucket of cdk bootstrap, and two keys that KMS deletes in 30 days.`;
}

await runCommand(usage, (args) =>
  main(args).catch((error: unknown) => {
    if (error instanceof OptionError) throw error;
    process.stderr.write(`${explainError(error, process.env).message}\n`);
    return 1;
  }),
);
