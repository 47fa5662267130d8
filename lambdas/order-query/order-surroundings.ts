import type * as api from '@payhooks/order-client';
import { orderIdBytesMax, waitingPagesMax } from '../contract/limits.ts';
import type { WaitingKind } from '../contract/metrics.ts';
import { orderKey } from '../contract/schema.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { conflict, notFound, ProblemError } from '../http-api/problem.ts';
import type { Act, ActReader } from '../ports/acts.ts';
import type { OrderRef } from '../ports/rows.ts';
import type { ChangeReader, EventReader, OrderReader, TransactionReader } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingPosition, WaitingReader, WaitingRow } from '../ports/waiting-reader.ts';
import { moneyView } from './event-view.ts';

export interface OrderQueryParts {
  readonly orders: OrderReader;
  readonly events: EventReader;
  /** `undefined` where the setting `changesIndex` is false. */
  readonly changes: ChangeReader | undefined;
  /** `undefined` where the setting `transactionRows` is false. */
  readonly transactions: TransactionReader | undefined;
  readonly waiting: Pick<WaitingReader, 'list'>;
  readonly acts: ActReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

/** The 409 of a route for which the deployment keeps nothing. */
export const notKept = (setting: 'changesIndex' | 'transactionRows'): ProblemError =>
  conflict(
    `This deployment does not keep what this route reads: its setting ${setting} is false. Read orders by ` +
      'their ids or follow the order feed, or deploy without the setting.',
  );

/** What concerns an order and is not in its row: the events that wait, and what operators did. */
export type OrderSurroundings = Pick<api.OrderEvents, 'waiting' | 'waiting_complete' | 'acts'>;

export async function readSurroundings(
  parts: Pick<OrderQueryParts, 'waiting' | 'acts'>,
  order: OrderRef,
): Promise<OrderSurroundings> {
  const [waiting, acts] = await Promise.all([
    waitingFor(parts.waiting, order),
    parts.acts.actsOf(orderKey(order.mode, order.id)),
  ]);
  return { ...waiting, acts: orderActs(acts) };
}

/** Whether a row can have this id. */
export const isOrderId = (id: string): boolean => fitsKey(id, orderIdBytesMax);

/** The 404 of an order that has no row: no event counts in it. */
export async function unknownOrder(parts: OrderQueryParts, order: OrderRef): Promise<ProblemError> {
  const isPossible = isOrderId(order.id);
  const none = { waiting: [], waiting_complete: true, acts: [] };
  const found = isPossible ? await readSurroundings(parts, order) : none;
  const { waiting, acts } = found;
  const more: Pick<api.OrderNotFoundProblem, 'waiting' | 'acts'> = { waiting, acts };
  const detail = isPossible ? reasonOf(order, found) : tooLong(order);
  return new ProblemError({ ...notFound(detail).problem, ...more });
}

function reasonOf({ mode, id }: OrderRef, { waiting, waiting_complete, acts }: OrderSurroundings): string {
  const order = JSON.stringify(id);
  const count = waiting.length;
  if (count === 1)
    return `One ${mode} event that names the order ${order} waits for a person; none counts yet.`;
  if (count > 1)
    return `${count} ${mode} events that name the order ${order} wait for a person; none counts yet.`;
  const none = `No ${mode} event counts in the order ${order}`;
  if (!waiting_complete) return `${none}; more events wait than could be searched.`;
  if (acts.length > 0) return `${none}; see acts for what operators did with the events that named it.`;
  return `No ${mode} event has named the order ${order}.`;
}

/** Such an id is not in the row of the event, which may exist. */
const tooLong = ({ mode }: OrderRef): string =>
  `No ${mode} order can have an id of more than ${orderIdBytesMax} bytes; ` +
  'an event that names it waits for a person, with the reason order_id_invalid.';

/** The history of an order, oldest first, with an entry for each attention that a resolution is about. */
const orderActs = (acts: readonly Act[]): api.OrderAct[] =>
  acts.flatMap((act) => (act.attention ?? [null]).map((attention) => ({ ...actView(act), attention })));

/** What an operator did, to which event, order or body. */
export const actView = ({ act, by, at, reason, eventId, orderId, bodySha256, proposal }: Act) => ({
  ...{ act, by, at, reason },
  event_id: eventId ?? null,
  order_id: orderId ?? null,
  body_sha256: bodySha256 ?? null,
  proposal: proposal ?? null,
});

/**
 * The kinds whose rows may name an order. An `unassigned` event and an `unrecognised` body name none; the
 * first event of a name without a meaning is in its order.
 */
const kindsWithOrder = ['quarantined', 'order_refused', 'conflict'] as const satisfies WaitingKind[];
const pageRowsMax = 1_000;

/**
 * The events that wait, and name this order or were assigned to it, as they were received; eventually
 * consistent. Not complete when more waits than one request searches: other events may name the order.
 */
export async function waitingFor(
  waiting: Pick<WaitingReader, 'list'>,
  order: OrderRef,
): Promise<Omit<OrderSurroundings, 'acts'>> {
  const found = await Promise.all(kindsWithOrder.map((kind) => ofKind(waiting, order, kind)));
  const events = found.flatMap((ofOneKind) => ofOneKind.waiting);
  return {
    waiting: events.toSorted((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at)),
    waiting_complete: found.every(({ waiting_complete }) => waiting_complete),
  };
}

async function ofKind(
  waiting: Pick<WaitingReader, 'list'>,
  { mode, id }: OrderRef,
  kind: WaitingKind,
): Promise<Omit<OrderSurroundings, 'acts'>> {
  const events: api.WaitingEvent[] = [];
  const selection = { mode, kind, orderId: id, limit: pageRowsMax };
  let after: WaitingPosition | undefined;
  for (let pages = 0; pages < waitingPagesMax; pages += 1) {
    const { rows, next } = await waiting.list({ ...selection, after });
    events.push(...rows.map((row) => waitingView(row, kind)));
    if (next === undefined) return { waiting: events, waiting_complete: true };
    after = next;
  }
  return { waiting: events, waiting_complete: false };
}

/** Rows of these kinds have all of these attributes. */
function waitingView(row: WaitingRow, kind: WaitingKind): api.WaitingEvent {
  return {
    event_id: row.eventId ?? '',
    event_name: row.eventName ?? '',
    ...moneyView(row),
    kind,
    outcome: row.outcome ?? 'quarantined',
    reason: row.reason ?? null,
    received_at: row.receivedAt ?? row.recordedAt,
    body_sha256: row.bodySha256 ?? '',
  };
}
