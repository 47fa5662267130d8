import assert from 'node:assert/strict';
import { type Mode, type Order, OrderNotFoundError, type WaitingItem } from '@payhooks/order-client';
import type { SampleEvent } from '@payhooks/payment-service/simulator';
import type { FeedMessage } from '../../console/contract.ts';
import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import { printable, shortId } from '../../operator/printable.ts';
import { attentionSentences } from '../../operator/sentences/reason-sentences.ts';
import type { AlarmView } from '../pipeline/alarms.ts';
import { bodyOf, type Stage, sha256Of } from './stage.ts';

export interface ExpectedOrder {
  readonly status: Order['status'];
  /** None by default. */
  readonly attention?: readonly Order['attention'][number][];
  /** How many events count; 1 by default. */
  readonly events?: number;
  readonly mode?: Mode;
  /** The order of the run by default. */
  readonly orderId?: string;
}

/** Waits until the order query shows the order as expected. */
export async function seeOrder(stage: Stage, expected: ExpectedOrder): Promise<void> {
  const { mode = 'live', orderId = stage.orderId } = expected;
  const describe = (order: Order | undefined): string => describeOrder(order, orderId, mode);
  const order = await stage.until(
    () => findOrder(stage, orderId, mode),
    (sight) => isAsExpected(sight, expected),
    describe,
  );
  stage.step('seen', describe(order), { page: 'order', id: orderId, mode });
}

function isAsExpected(order: Order | undefined, expected: ExpectedOrder): boolean {
  const { status, attention = [], events = 1 } = expected;
  return (
    order?.status === status &&
    order.events.length === events &&
    order.attention.toSorted().join() === attention.toSorted().join()
  );
}

/** Looks once, when nothing of the order is on its way. */
export async function seeNoOrder(stage: Stage, orderId: string = stage.orderId): Promise<void> {
  const order = await findOrder(stage, orderId, 'live');
  const seen = describeOrder(order, orderId, 'live');
  assert(order === undefined, seen);
  stage.step('seen', seen);
}

async function findOrder({ orders, signal }: Stage, id: string, mode: Mode): Promise<Order | undefined> {
  try {
    return await orders.order(id, { mode, signal });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return undefined;
    throw error;
  }
}

/** Such as `order-1 is paid after 1 event.`, and a line for each attention. */
function describeOrder(order: Order | undefined, orderId: string, mode: Mode): string {
  if (order === undefined) return `There is no ${mode} order ${printable(orderId)}.`;
  const count = order.events.length === 1 ? '1 event' : `${order.events.length} events`;
  const where = mode === 'sandbox' ? ' in the sandbox' : '';
  const state = `${printable(orderId)} is ${order.status}${where} after ${count}.`;
  return [state, ...order.attention.map((name) => `  attention: ${attentionSentences[name]}`)].join('\n');
}

/** Waits until the operations API lists what waits for a person. Resolves with the hash of its body. */
export async function seeWaiting(
  stage: Stage,
  what: SampleEvent | Uint8Array,
  { kind, mode = 'live' }: Pick<WaitingItem, 'kind'> & { readonly mode?: Mode },
): Promise<string> {
  const hash = sha256Of(bodyOf(what));
  const item = await stage.until(
    async () => {
      const { events } = await stage.operations.waiting({ kind, mode, signal: stage.signal });
      return events.find(({ body_sha256 }) => body_sha256 === hash);
    },
    (sight) => sight !== undefined,
    () => `Nothing waits as ${kind}.`,
  );
  const [id, reason] = [item?.event_id ?? '', item?.reason ?? null];
  const name = id === '' ? 'The body' : `Event ${shortId(id)}`;
  const seen = `${name} waits for a person as ${kind}${reason === null ? '' : ` (${reason})`}.`;
  stage.step('seen', seen, { page: id === '' ? 'waiting' : 'event', id, mode });
  return hash;
}

export async function seeAllPaid(stage: Stage, orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) await seeOrder(stage, { status: 'paid', orderId });
}

export async function seePublished(stage: Stage): Promise<void> {
  await stage.until(
    () => messagesOf(stage),
    (messages) => messages.length > 0,
    () => 'No change of the order is published.',
  );
  stage.step('seen', 'The change of the order is published.');
}

/** What is on the bus about the order of the run. */
export const messagesOf = (stage: Stage): Promise<readonly FeedMessage[]> =>
  read(stage, `/feed/messages?order_id=${encodeURIComponent(stage.orderId)}`);

export async function seeFiring(stage: Stage, name: AlarmName): Promise<AlarmView> {
  return stage.until(
    () => alarmOf(stage, name),
    ({ state }) => state === 'ALARM',
    () => `${name} does not fire.`,
  );
}

export async function alarmOf(stage: Stage, name: AlarmName): Promise<AlarmView> {
  const alarms = await read<readonly AlarmView[]>(stage, '/alarms');
  const found = alarms.find((alarm) => alarm.name === name);
  assert(found !== undefined, `Local mode has no alarm ${name}.`);
  return found;
}

/** JSON of local mode about itself. */
export async function read<T>({ pipeline, signal }: Stage, path: string): Promise<T> {
  return (await (await fetch(`${pipeline.baseUrl}${path}`, { signal })).json()) as T;
}
