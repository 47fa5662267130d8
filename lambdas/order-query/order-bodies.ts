import type * as api from '@payhooks/order-client';
import { orderBodiesEventsMax } from '../contract/operations-limits.ts';
import { eventKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import type { OrderStep } from '../domain/fold-steps.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { EventReader } from '../ports/stores.ts';
import { factOf, leadingEvent, orderIdOf } from './event-view.ts';

/** Every body under one event id. */
export interface EventBodies {
  /** The body that counts in the order, or else the first. */
  readonly row: EventRow;
  /** Whether the order counts what that body says. */
  readonly counts: boolean;
  readonly others: readonly EventRow[];
}

/**
 * The bodies under the ids of the events of an order, by event id; `undefined` where there are none. It
 * leaves out an id with too many bodies or one that cannot be read and, for an order with very many events,
 * some that are not contested.
 */
export async function readBodies(
  events: EventReader,
  { order, facts }: OrderRow,
): Promise<ReadonlyMap<string, EventBodies | undefined>> {
  const { texts, contested } = countEvents(facts);
  const byContest = [...texts].toSorted(([a], [b]) => Number(contested.has(b)) - Number(contested.has(a)));
  const found = byContest.slice(0, orderBodiesEventsMax).map(async ([id, text]) => {
    const bodies = await events.bodiesOf(eventKey(order.mode, id));
    return bodies.kind === 'found' ? [[id, choose(bodies.rows, text)] as const] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

function choose(rows: readonly EventRow[], counted: string): EventBodies | undefined {
  const found = leadingEvent(rows);
  if (found === undefined) return undefined;
  const sorted = [found.row, ...found.others];
  const row = sorted.find((body) => factOf(body) === counted);
  const shown = row ?? found.row;
  return { row: shown, counts: row !== undefined, others: sorted.filter((body) => body !== shown) };
}

/** Another body under the id of an event, which does not count in the order. */
export const otherBody = (row: EventRow, step: OrderStep | undefined): api.OtherBody => ({
  outcome: row.outcome,
  reason: row.reason ?? null,
  waiting: row.waiting ?? null,
  order_id: orderIdOf(row) ?? null,
  received_at: row.receivedAt,
  recorded_at: row.recordedAt,
  key_id: row.keyId,
  body_sha256: row.bodySha256,
  counts: false,
  amount: row.reading?.amount ?? null,
  currency: row.reading?.currency ?? null,
  status_after: step?.status ?? null,
  attention_after: step ? [...step.attention] : null,
});
