import { setTimeout as pause } from 'node:timers/promises';
import { paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { refusalSumSeconds } from '../../../lambdas/contract/limits.ts';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';

export const forgedFlood: Drill = {
  name: 'forged-flood',
  fault: 'A stranger without the private key posts a hundred forged payments.',
  alarm: 'SignatureMismatches',
  async begin({ forge, deliver, privateKey, get }) {
    for (let count = 1; count <= 100; count += 1) {
      const status = await forge(paidEvent({ orderId: 'drill-forged' }));
      check(status === 403, 'a forged webhook gets 403');
    }
    // Of a flood the verifier counts a sum, with the next request a second later.
    await pause(refusalSumSeconds * 1_000);
    const status = await deliver(paidEvent({ orderId: 'drill-amid-forged' }), privateKey);
    check(status === 202, 'a signed webhook is accepted meanwhile');
    check((await get('/orders/drill-forged')).status === 404, 'no forged payment reaches an order');
  },
  async repair({ follow, say }) {
    await follow('SignatureMismatches', 'keys list');
    say('Every key is the one of the account, so these webhooks are forged, and nothing has to be done.');
  },
};

export const conflict: Drill = {
  name: 'conflict',
  fault: 'A second payment arrives under an event id that is taken, for another order.',
  alarm: 'EventConflicts',
  async begin({ deliver, privateKey }) {
    for (const orderId of ['drill-first', 'drill-second']) {
      const status = await deliver(paidEvent({ orderId, eventId: 'drill-conflict' }), privateKey);
      check(status === 202, 'both webhooks are accepted');
    }
  },
  async repair({ follow, get }) {
    const values = { ID: 'drill-conflict', HASH: await conflictingBody(get), ORDER_ID: 'drill-second' };
    await follow('EventConflicts', 'events list');
    await follow('EventConflicts', 'events show', values);
    const { output } = await follow('EventConflicts', 'events admit', values, {
      line: 'the payment service confirms both payments',
    });
    check(output.includes('drill-second'), 'the dry run shows the order that changes');
    const order = (await (await get('/orders/drill-second')).json()) as Order;
    check(order.status === 'paid' && order.attention.length === 0, 'the second order is paid');
  },
};

interface Order {
  readonly status: string;
  readonly attention: readonly string[];
  readonly events: readonly { readonly id: string }[];
}

/** The hash of the body that waits. */
async function conflictingBody(get: (path: string) => Promise<Response>): Promise<string> {
  const { events } = (await (await get('/operations/waiting?kind=conflict')).json()) as {
    readonly events: readonly { readonly body_sha256: string }[];
  };
  return events[0]?.body_sha256 ?? '';
}

export const refundWithoutAnOrder: Drill = {
  name: 'refund-without-an-order',
  fault: 'A refund names no order, and its transaction is not known.',
  alarm: 'EventsUnassigned',
  async begin({ deliver, privateKey }) {
    check(
      (await deliver(paidEvent({ orderId: 'drill-order' }), privateKey)) === 202,
      'the payment is accepted',
    );
    const refund = refundedEvent({ orderId: '', eventId: 'drill-refund' });
    check((await deliver(refund, privateKey)) === 202, 'the refund is accepted');
  },
  async repair({ follow, get }) {
    const values = { ID: 'drill-refund', ORDER_ID: 'drill-order' };
    await follow('EventsUnassigned', 'events list');
    await follow('EventsUnassigned', 'events show', values);
    const { output } = await follow('EventsUnassigned', 'events admit', values);
    check(output.includes('drill-order'), 'the dry run shows the order that changes');
    const order = (await (await get('/orders/drill-order')).json()) as Order;
    check(
      order.events.some(({ id }) => id === 'drill-refund'),
      'the order has the refund',
    );
  },
};
