import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Order, OrderNotFoundError } from '@payhooks/order-client';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { openOrderQuery } from '../../operator/apis.ts';
import type { EventBody } from '../../operator/event-body.ts';
import { followPollMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { CommonOptions, Session } from '../session.ts';

export interface Sent {
  readonly event: EventBody;
  readonly body: Uint8Array;
  readonly mode: Mode;
}

/**
 * Resolves when the order query shows the event that was sent, with its order once any event counts there,
 * and with the event itself if it waits for a person. Rejects when it does not in time.
 */
export async function followOrder(session: Session, options: CommonOptions, sent: Sent) {
  const { followMilliseconds } = session.waits;
  const { event, body, mode } = sent;
  const { orderId, eventId } = event;
  if (orderId === undefined || eventId === undefined) {
    const message = 'The body has no order id or no event id, so there is nothing to follow.';
    throw new CommandError('failed', message);
  }
  const client = openOrderQuery(await session.stack(options));
  const hash = createHash('sha256').update(body).digest('hex');
  const until = performance.now() + followMilliseconds;
  while (performance.now() < until) {
    session.terminal.progress(`Waiting for the order ${printable(orderId)} …`);
    const { events, waiting } = await client.orderEvents(orderId, { mode }).catch((error: unknown) => {
      if (error instanceof OrderNotFoundError) return { events: [], waiting: error.waiting };
      throw error;
    });
    const own = waiting.filter(({ body_sha256 }) => body_sha256 === hash);
    if (own.length > 0 || events.some(({ id }) => id === eventId)) {
      const order = events.length === 0 ? undefined : await client.order(orderId, { mode });
      return { order, waiting: own };
    }
    await pause(followPollMilliseconds);
  }
  const seconds = followMilliseconds / 1_000;
  const message = `The event was acknowledged, but the order did not show it within ${seconds} s.`;
  throw new CommandError('failed', `${message} See: payhooks status, payhooks dlq list`);
}

export function summaryOf({ order_id, status, events, attention }: Order): string {
  const count = `${events.length} event${events.length === 1 ? '' : 's'}`;
  const look = attention.length === 0 ? '' : `, attention: ${attention.join(', ')}`;
  return `${printable(order_id)} is ${status} after ${count}${look}`;
}
