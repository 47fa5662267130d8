import { orderFeedRecordAgeSecondsMax } from '../../lambdas/contract/limits.ts';
import type { Fault } from '../../operator/safeguards/safeguard.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { Session } from '../session.ts';

/** An event is recorded shortly before its change reaches the stream. */
const marginMilliseconds = 60_000;

const outageOf = (faults: readonly Fault[]): Date | undefined =>
  faults.find(({ feedOffSince }) => feedOffSince !== undefined)?.feedOffSince;

/**
 * The command that publishes what the feed will not: it skips a change that is older than its mapping allows,
 * and the stream loses one after 24 hours. `undefined` when the feed was off for less.
 */
export function replayCommandOf(stack: Stack, faults: readonly Fault[], now: number): string | undefined {
  const since = outageOf(faults);
  if (since === undefined || now - since.getTime() < orderFeedRecordAgeSecondsMax * 1_000) return undefined;
  const from = new Date(since.getTime() - marginMilliseconds).toISOString();
  return nextCommand(stack, `payhooks replay --since ${from} --publish --reason "the order feed was off"`);
}

export function printReplayHint({ terminal, now }: Session, stack: Stack, faults: readonly Fault[]): void {
  const since = outageOf(faults);
  if (since === undefined) return;
  const hours = orderFeedRecordAgeSecondsMax / 3_600;
  const from = since.toISOString();
  const command = replayCommandOf(stack, faults, now());
  if (command === undefined) {
    terminal.note(`Off for less than ${hours} hours, the order feed publishes every change since ${from}.`);
    return;
  }
  terminal.note(`The order feed was off since ${from} and skips changes older than ${hours} hours.`);
  terminal.note(`Publish the orders of that time again:\n→ ${command}`);
}
