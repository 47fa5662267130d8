import { bodyExpiry } from '../consumer/event-rows.ts';
import { eventRecord } from '../contract/schema.ts';
import { factOfBody } from '../domain/fact.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { JudgementCondition } from '../ports/judgements.ts';
import type { EventRow } from '../ports/stores.ts';
import { type ActUnderWay, conflict, eventOf } from './act.ts';

interface End {
  readonly expected: JudgementCondition;
  readonly judged: Judgement;
  /** The row of an event that was applied: that ended its wait. */
  readonly isSettled?: boolean;
}

/**
 * Judges a row and ends its wait, if it is as expected, and returns whether it was. With `eventRetentionDays`
 * its body then expires, for which it moves into a row of its own.
 */
export async function endWait(
  act: ActUnderWay,
  row: EventRow,
  { expected, judged, isSettled = false }: End,
): Promise<boolean> {
  const { key, bodySha256, body } = row;
  const expiresAt = bodyExpiry(act.settings);
  if (expiresAt !== undefined && body !== undefined) {
    await act.events.putBody({ key, bodySha256, body, expiresAt });
  }
  const isJudged = await act.judgements.judge({
    row,
    expected,
    judged,
    ...(isSettled ? {} : { waiting: null }),
    ...(expiresAt === undefined ? {} : { detachBody: { fact: keptFact(row) } }),
  });
  if (!isJudged) return false;
  if (!isSettled) act.rows.endWait(row);
  await expireBody(act, row);
  return true;
}

/** For the body of a row that no longer waits. A repetition does it again, as a crash may have left it. */
async function expireBody(act: ActUnderWay, row: EventRow): Promise<void> {
  const expiresAt = bodyExpiry(act.settings);
  if (expiresAt === undefined || (await isAwaited(act, row))) return;
  await act.events.setBodyExpiry(row, expiresAt);
}

/** Whether the body is that of an event whose row still waits. */
async function isAwaited(act: ActUnderWay, { key, bodySha256 }: EventRow): Promise<boolean> {
  const event = await act.events.getRow(key, eventRecord.event);
  return event?.waiting !== undefined && event.bodySha256 === bodySha256;
}

/** What a row keeps of its body when that goes. The fact of a body that was never recorded is not kept. */
export function keptFact({ record, fact, body, bodySha256 }: EventRow): string | undefined {
  if (fact !== undefined || record !== eventRecord.conflict(bodySha256)) return fact;
  return body && factOfBody(body);
}

/** Takes back the claim of an admission that is not possible; the row is as it was before. */
export async function takeBack(act: ActUnderWay, row: EventRow, claim: Judgement): Promise<void> {
  const former = row.judged?.verdict === 'dismissed' ? row.judged : null;
  const expected = { judged: claim };
  const waiting = row.waiting === undefined && { waiting: null };
  await act.judgements.judge({ row, expected, judged: former, ...waiting });
}

const decided = ({ by, at, reason }: Judgement): string => `by ${by} at ${at} (${JSON.stringify(reason)})`;

const underOrder = ({ orderId }: Judgement): string =>
  orderId === undefined ? '' : ` under the order ${JSON.stringify(orderId)}`;

/** The refusal of an act on a row that was judged otherwise. */
export const judgedBy = (row: EventRow, judged: Judgement) =>
  conflict(
    `${eventOf(row)} was ${judged.verdict}${underOrder(judged)} ${decided(judged)}. ` +
      'An admission stays; the order shows what it changed.',
  );

export const claimedBy = (row: EventRow, judged: Judgement) =>
  conflict(
    `${eventOf(row)} is being admitted${underOrder(judged)} ${decided(judged)}. ` +
      'If that was interrupted, repeat the same admission to complete it.',
  );

export const changedMeanwhile = conflict(
  'The event changes while it is judged. Look at it again, and repeat the act if it still waits.',
);
