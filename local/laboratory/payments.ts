import { setTimeout as pause } from 'node:timers/promises';
import { OrderNotFoundError } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describeResponse, describeSample } from '../webhooks/description.ts';
import type { Bench } from './bench.ts';
import type { Verdict } from './run-record.ts';

interface Series {
  readonly count: number;
  readonly everyMilliseconds: number;
}

/** Sends payments of new orders, one after another; resolves with the orders of those that got 2xx. */
export async function sendPayments(bench: Bench, { count, everyMilliseconds }: Series): Promise<string[]> {
  const { record, signal } = bench;
  const acknowledged: string[] = [];
  record.progress({ total: count });
  for (let sent = 1; sent <= count; sent += 1) {
    const orderId = `${bench.orderId}-${sent}`;
    const event = paidEvent({ orderId, amount: '15.00' });
    const delivery = await bench.post(bytesOf(event));
    record.step('sent', `${describeSample(event)} → ${describeResponse(delivery)}`);
    if (delivery.state === 'delivered') acknowledged.push(orderId);
    record.progress({ sent, acknowledged: acknowledged.length });
    await pause(everyMilliseconds, undefined, { signal });
  }
  return acknowledged;
}

/** Looks while a fault is on: a payment that is recorded then shows that nothing was broken. */
export async function seeNoneRecorded(
  bench: Pick<Bench, 'orders' | 'record' | 'signal'>,
  orderIds: readonly string[],
  isOn: () => boolean,
): Promise<Verdict> {
  const found = await Promise.all(orderIds.map((id) => isPaid(bench, id)));
  if (!isOn()) return { asExpected: true, seen: 'The fault was over before the last payment was sent.' };
  const recorded = found.filter(Boolean).length;
  const seen = `${recorded} of ${orderIds.length} payments are recorded while the fault lasts.`;
  bench.record.step('seen', seen);
  return { asExpected: recorded === 0, seen };
}

/** Waits until the order of every acknowledged payment is paid. */
export async function seeAllPaid(bench: Bench, orderIds: readonly string[], count: number): Promise<Verdict> {
  const { record } = bench;
  const paid = await bench.until(
    async () => {
      const found = await Promise.all(orderIds.map((id) => isPaid(bench, id)));
      const recorded = found.filter(Boolean).length;
      record.progress({ recorded });
      return recorded;
    },
    (recorded) => recorded === orderIds.length,
  );
  const seen = `${orderIds.length} of ${count} webhooks got 2xx; ${paid} of these are recorded.`;
  const [first] = orderIds;
  record.step('seen', seen, first === undefined ? null : { page: 'order', id: first, mode: 'live' });
  return { asExpected: orderIds.length === count && paid === count, seen };
}

async function isPaid({ orders, signal }: Pick<Bench, 'orders' | 'signal'>, id: string): Promise<boolean> {
  try {
    const { status, events } = await orders.order(id, { signal });
    return status === 'paid' && events.length === 1;
  } catch (error) {
    if (error instanceof OrderNotFoundError) return false;
    throw error;
  }
}
