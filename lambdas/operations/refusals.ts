import type { Refusal, RouteResult } from '../http-api/route.ts';
import type { Decision, Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { LeftReason, Repaired } from '../projection/repair.ts';

/** The refusal of a repair that was not carried out; `undefined` for one that was. */
export function refusalOf(result: Repaired<RouteResult>, eventId: string): RouteResult | undefined {
  if (result.kind === 'busy') return busy(result.retryAfterSeconds);
  if (result.kind === 'stopped') return result.stop;
  return result.kind === 'left' ? conflict(leftSentence(eventId, result.reason)) : undefined;
}

const leftSentences: Readonly<Record<LeftReason, string>> = {
  too_many_bodies:
    'has more bodies than one request handles. They can only be dismissed, one by one, with body_sha256.',
  unreadable:
    'has a row in the table events that this version cannot read. Restore the row, or deploy the version ' +
    'that wrote it.',
  too_large:
    'touches more rows than one transaction of DynamoDB takes (100 rows, 4 MB). Resolve its orders by hand.',
};

const leftSentence = (eventId: string, reason: LeftReason): string =>
  `The event ${JSON.stringify(eventId)} ${leftSentences[reason]}`;

/** What the state of the subject forbids; `detail` names what to do. */
export const conflict = (detail: string): Refusal => ({
  ok: false,
  problem: { status: 409, title: 'Conflict', detail },
});

/** Another actor is changing the subject; the same request succeeds later. */
export const busy = (retryAfterSeconds: number): Refusal => ({
  ok: false,
  problem: {
    status: 409,
    title: 'Busy',
    detail:
      'The event was delivered or changed a moment ago, and a consumer may still be working on it. ' +
      `Repeat the request in ${retryAfterSeconds} s.`,
    retry_after_seconds: retryAfterSeconds,
  },
});

/** For messages. */
export const nameOf = ({ eventId, bodySha256 }: Pick<EventRow, 'eventId' | 'bodySha256'>): string =>
  eventId === undefined ? `The body ${bodySha256}` : `The event ${JSON.stringify(eventId)}`;

const decided = ({ by, at, reason }: Decision): string => `by ${by} at ${at} (${JSON.stringify(reason)})`;

/** The refusal of an act on a row that was judged otherwise. */
export function judgedBy(row: EventRow, { orderId, verdict, ...decision }: Judgement): Refusal {
  const under = orderId === undefined ? '' : ` under the order ${JSON.stringify(orderId)}`;
  return conflict(
    `${nameOf(row)} was ${verdict}${under} ${decided(decision)}. An admission stays; the order shows what ` +
      'it changed.',
  );
}
