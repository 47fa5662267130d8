import { eventKey, orderKey } from '../contract/schema.ts';
import { parseFact } from '../domain/fact.ts';
import type { BodyRow, EventRow, EventWriter, Settlement } from '../ports/stores.ts';
import { bodyExpiry, type RowSettings } from './event-rows.ts';
import type { Merged } from './merge-facts.ts';
import type { Applicable } from './record-event.ts';

/** What became of a fact: its orders hold it, or one of them is full. */
export type Fate = Pick<Settlement, 'outcome' | 'reason' | 'waiting' | 'assignedOrderId' | 'mergedInto'>;

/** What became of a fact that the record had to merge; `undefined` when no order is known for it. */
function fateOf(fact: string, record: Applicable, merges: ReadonlyMap<string, Merged>): Fate | undefined {
  const { mode } = record;
  const orderIds = record.pendingFacts
    .filter((pending) => pending.fact === fact)
    .map(({ orderId }) => orderId)
    // As DynamoDB compares: of the orders of one transaction, an event is assigned to the least.
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const full = orderIds.find((orderId) => merges.get(orderKey(mode, orderId))?.refused.has(fact));
  if (full !== undefined) {
    const [outcome, reason] = ['quarantined', 'order_refused'] as const;
    return { outcome, reason, waiting: reason, assignedOrderId: full };
  }
  const [assignedOrderId] = orderIds;
  if (assignedOrderId === undefined) return undefined;
  return { outcome: 'applied', assignedOrderId, mergedInto: orderIds };
}

interface Settling {
  readonly events: EventWriter;
  readonly merges: ReadonlyMap<string, Merged>;
  readonly settings: RowSettings;
}

/**
 * Updates the rows whose outcome is no longer true: of events without an order id that have reached an order,
 * and of events that a full order has refused. This follows the merges, so that `applied` is never true too
 * soon. Returns what became of the record's own event; `undefined` when it has no row or no order.
 */
export async function settleRows(settling: Settling, record: Applicable): Promise<Fate | undefined> {
  const { own } = record;
  const fate = own && fateOf(own.fact, record, settling.merges);
  // The others first: an admission is complete when its own row no longer waits.
  const others = record.waitingFacts.filter((fact) => fact !== own?.fact);
  await Promise.all(others.map((fact) => settleWaiting(settling, record, fact)));
  if (own && fate) await settleOwn(settling, own.row, fate);
  return fate;
}

/** The row of another event, whose fact waited for this payment. A repetition updates it again. */
async function settleWaiting(settling: Settling, record: Applicable, text: string): Promise<void> {
  const fact = parseFact(text);
  const fate = fateOf(text, record, settling.merges);
  if (fact.kind !== 'event' || fate === undefined) return;
  const { mode } = record;
  await settleAssigned(settling, { key: eventKey(mode, fact.eventId), mode, fact: text, ...fate });
}

/** The row of an event without an order id, and then its body, unless the row was settled better. */
async function settleAssigned(settling: Settling, settlement: Settlement): Promise<void> {
  const bodySha256 = await settling.events.settle(settlement);
  if (bodySha256 !== undefined) await settleBody(settling, { ...settlement, bodySha256 }, settlement);
}

async function settleOwn(settling: Settling, row: EventRow, fate: Fate): Promise<void> {
  const { key, mode, bodySha256, outcome, orderId, assignedOrderId } = row;
  // A body that was stored for an event without an order id does not expire yet, even if the row is settled.
  const mayKeepBody = orderId === undefined && settling.settings.eventRetentionDays !== undefined;
  const hasOrder = orderId !== undefined || assignedOrderId !== undefined;
  if (fate.outcome === outcome && hasOrder && !mayKeepBody) return;
  if (orderId === undefined) return settleAssigned(settling, { key, mode, bodySha256, ...fate });
  const { assignedOrderId: _, mergedInto, ...state } = fate;
  // The body first: once the row is settled, a repetition does not come back to it.
  await settleBody(settling, row, fate);
  await settling.events.settle({ key, mode, bodySha256, ...state });
}

/** A body is kept while its event waits. */
async function settleBody(
  { events, settings }: Settling,
  body: Pick<BodyRow, 'key' | 'bodySha256'>,
  { waiting }: Fate,
): Promise<void> {
  const expiresAt = bodyExpiry(settings);
  if (expiresAt === undefined) return;
  await events.setBodyExpiry(body, waiting === undefined ? expiresAt : undefined);
}
