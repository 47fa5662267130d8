import { type Mode, type Order, OrderNotFoundError, type WaitingItem } from '@payhooks/order-client';
import { printable, shortId } from '../../operator/printable.ts';
import { attentionSentences } from '../../operator/sentences/reason-sentences.ts';
import { describeOrder } from '../webhooks/description.ts';
import type { Bench } from './bench.ts';
import type { Verdict } from './run-record.ts';

interface ExpectedOrder {
  readonly status: Order['status'];
  /** None by default. */
  readonly attention?: Order['attention'];
  /** How many events count. */
  readonly events: number;
  readonly mode?: Mode;
  /** The order of the run by default. */
  readonly orderId?: string;
}

/** Waits until the order query shows the order as expected. */
export async function seeOrder(bench: Bench, expected: ExpectedOrder): Promise<Verdict> {
  const { mode = 'live', orderId = bench.orderId } = expected;
  const order = await bench.until(
    () => findOrder(bench, orderId, mode),
    (sight) => isAsExpected(sight, expected),
  );
  const seen = order === undefined ? `There is no ${mode} order ${printable(orderId)}.` : sentenceOf(order);
  bench.record.step('seen', seen, { page: 'order', id: orderId, mode });
  return { asExpected: isAsExpected(order, expected), seen };
}

export function isAsExpected(order: Order | undefined, expected: ExpectedOrder): boolean {
  const { status, attention = [], events } = expected;
  return (
    order?.status === status &&
    order.events.length === events &&
    order.attention.toSorted().join() === attention.toSorted().join()
  );
}

/** Looks once, when nothing of the order is on its way. */
export async function seeNoOrder(bench: Bench, orderId: string = bench.orderId): Promise<Verdict> {
  const order = await findOrder(bench, orderId, 'live');
  const seen = order === undefined ? `There is no live order ${printable(orderId)}.` : sentenceOf(order);
  bench.record.step('seen', seen);
  return { asExpected: order === undefined, seen };
}

type ExpectedItem = Pick<WaitingItem, 'kind'> & { readonly mode?: Mode } & (
    | { readonly eventId: string }
    | { readonly bodySha256: string }
  );

/** Waits until the operations API lists what waits for a person. */
export async function seeWaiting(bench: Bench, expected: ExpectedItem): Promise<Verdict> {
  const { kind, mode = 'live' } = expected;
  const { record, signal } = bench;
  const since = record.startedAt.toISOString();
  const isIt = ({ event_id, body_sha256 }: WaitingItem): boolean =>
    'eventId' in expected ? event_id === expected.eventId : body_sha256 === expected.bodySha256;
  const item = await bench.until(
    async () => {
      const { events } = await bench.operations.waiting({ kind, mode, since, signal });
      return events.find(isIt);
    },
    (sight) => sight !== undefined,
  );
  const seen = item === undefined ? `Nothing waits as ${kind}.` : describeWaiting(item);
  const link = 'eventId' in expected ? ({ page: 'event', id: expected.eventId } as const) : toWaiting;
  record.step('seen', seen, { ...link, mode });
  return { asExpected: item !== undefined, seen };
}

const toWaiting = { page: 'waiting', id: '' } as const;

function describeWaiting({ kind, event_id, reason }: WaitingItem): string {
  const what = event_id === null ? 'The body' : `Event ${shortId(event_id)}`;
  return `${what} waits for a person as ${kind}${reason === null ? '' : ` (${reason})`}.`;
}

async function findOrder({ orders, signal }: Bench, id: string, mode: Mode): Promise<Order | undefined> {
  try {
    return await orders.order(id, { mode, signal });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return undefined;
    throw error;
  }
}

const sentenceOf = (order: Order): string =>
  [`${describeOrder(order)}.`, ...order.attention.map((name) => attentionSentences[name])].join(' ');
