import { setTimeout as pause } from 'node:timers/promises';
import { type Deployed, describeDeployed } from '../../operator/aws/deployed-resources.ts';
import { explainError } from '../../operator/explain-error.ts';
import { repairMilliseconds } from '../../operator/limits.ts';
import type { CommandError, ExitCode } from '../../operator/operator-error.ts';
import { exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { Fault } from '../../operator/safeguards/safeguard.ts';
import { safeguards } from '../../operator/safeguards/safeguards.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printReplayHint, replayCommandOf } from './feed-outage.ts';

interface RepairOptions extends CommonOptions {
  readonly dryRun?: true;
}

/** Shows what is not as it was deployed, asks, restores it and checks again. */
export async function repair(session: Session, options: RepairOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const { json, dryRun } = options;
  const stack = await createTarget(session, options).stack();
  terminal.progress('Comparing the stack with what was deployed …');
  const deployed = await describeDeployed(stack);
  const faults = await inspectAll(deployed);
  const repairable = faults.filter(({ repair: one }) => one !== undefined);
  if (!json) printFaults(session, faults);
  let failures: readonly CommandError[] = [];
  let left = faults;
  if (!dryRun && repairable.length > 0) {
    const what = repairable.length === 1 ? 'this' : `these ${repairable.length} things`;
    await input.confirm(`Repair ${what} in ${stack.name}?`, options);
    failures = await runRepairs(session, options, repairable);
    left = await untilAllHolds(session, deployed, failures.length > 0 ? 0 : repairMilliseconds);
    if (!json) printLeft(session, left);
  }
  if (json)
    terminal.json({ stack: stack.name, ...documentOf(session, { deployed, faults, failures, left }) });
  else if (!dryRun) printReplayHint(session, stack, faults);
  return failures[0]?.exitCode ?? (left.length > 0 ? exitCodes.failed : exitCodes.done);
}

async function inspectAll(deployed: Deployed): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const { inspect } of safeguards) faults.push(...(await inspect(deployed)).faults);
  return faults;
}

function printFaults({ terminal }: Session, faults: readonly Fault[]): void {
  if (faults.length === 0) {
    terminal.print(terminal.style('green', 'Everything is as it was deployed.'));
  }
  for (const { message, repair: one, fix = '' } of faults) {
    terminal.print(`${terminal.style('red', '✗')} ${printable(message, lineCharactersMax)}`);
    terminal.print(
      `    → ${one === undefined ? `no repair: ${printable(fix, lineCharactersMax)}` : one.does}`,
    );
  }
}

const lineCharactersMax = 1_000;

/** One that fails does not keep the others from being repaired. */
async function runRepairs({ terminal, env }: Session, { json }: RepairOptions, faults: readonly Fault[]) {
  const failures: CommandError[] = [];
  for (const { message, repair: one } of faults) {
    terminal.progress(`${message}: ${one?.does} …`);
    try {
      await one?.run();
      if (!json)
        terminal.print(`${terminal.style('green', '✓')} ${printable(message, lineCharactersMax)}: repaired`);
    } catch (error) {
      const explained = explainError(error, env);
      failures.push(explained);
      if (!json) terminal.print(`${terminal.style('red', '✗')} ${message}: ${explained.message}`);
    }
  }
  return failures;
}

/** A mapping takes up to a minute to be enabled. Resolves with what still differs. */
async function untilAllHolds(
  { terminal, waits }: Session,
  deployed: Deployed,
  milliseconds: number,
): Promise<readonly Fault[]> {
  const until = performance.now() + milliseconds;
  for (;;) {
    terminal.progress('Checking again …');
    const left = await inspectAll(deployed);
    // What no call restores does not come back while this waits.
    const mayHold = left.some(({ repair: one, isPassing }) => one !== undefined || isPassing);
    if (!mayHold || performance.now() >= until) return left;
    await pause(waits.repairPollMilliseconds);
  }
}

function printLeft({ terminal }: Session, left: readonly Fault[]): void {
  if (left.length === 0) terminal.print(terminal.style('green', 'Everything is as it was deployed again.'));
  else terminal.print(terminal.style('red', `${left.length} still to do:`));
  for (const { message, fix = 'run it again' } of left) {
    terminal.print(`  ${printable(message, lineCharactersMax)}\n    → ${printable(fix, lineCharactersMax)}`);
  }
}

interface Outcome {
  readonly deployed: Deployed;
  readonly faults: readonly Fault[];
  readonly failures: readonly CommandError[];
  readonly left: readonly Fault[];
}

function documentOf({ now }: Session, { deployed: { stack }, faults, failures, left }: Outcome) {
  const shown = ({ message, repair: one, fix }: Fault) => ({
    message,
    repair: one?.does ?? null,
    fix: fix ?? null,
  });
  return {
    faults: faults.map(shown),
    errors: failures.map(({ message }) => message),
    left: left.map(shown),
    replay: replayCommandOf(stack, faults, now()) ?? null,
  };
}
