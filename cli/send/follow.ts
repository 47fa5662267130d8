import { setTimeout as pause } from 'node:timers/promises';
import { type Order, OrderNotFoundError } from '@payhooks/order-client';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { CommandError } from '../command-error.ts';
import type { EventBody } from '../event-body.ts';
import { followMilliseconds, followPollMilliseconds } from '../limits.ts';
import { openOrderQuery } from '../order-query.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import type { Target } from '../target/target.ts';

/** The order once it holds the event that was sent. Rejects when it does not in time. */
export async function followOrder(
  { terminal }: Session,
  target: Target,
  { event, mode }: { readonly event: EventBody; readonly mode: Mode },
): Promise<Order> {
  const { orderId, eventId } = event;
  if (orderId === undefined || eventId === undefined) {
    const message = 'The body has no order id or no event id, so there is nothing to follow.';
    throw new CommandError('failed', message);
  }
  const client = openOrderQuery(await target.stack());
  const until = performance.now() + followMilliseconds;
  while (performance.now() < until) {
    terminal.progress(`Waiting for the order ${printable(orderId)} …`);
    const order = await client.order(orderId, { mode }).catch(notYet);
    if (order?.events.some(({ id }) => id === eventId)) return order;
    await pause(followPollMilliseconds);
  }
  const seconds = followMilliseconds / 1_000;
  const message = `The event was acknowledged, but the order did not show it within ${seconds} s.`;
  throw new CommandError('failed', message);
}

export function summaryOf({ order_id, status, events, attention }: Order): string {
  const count = `${events.length} event${events.length === 1 ? '' : 's'}`;
  const look = attention.length === 0 ? '' : `, attention: ${attention.join(', ')}`;
  return `${printable(order_id)} is ${status} after ${count}${look}`;
}

function notYet(error: unknown): undefined {
  if (error instanceof OrderNotFoundError) return undefined;
  throw error;
}
