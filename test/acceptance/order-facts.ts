import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import type { StateFact } from './facts.ts';

export function paymentFacts(fact: StateFact): void {
  for (const nullable of ['filled', 'null'] as const) {
    fact(`makes an order paid, with nullable fields ${nullable} (2.3)`, async (pipeline) => {
      const orderId = `paid-${nullable}`;
      const body = bytesOf(
        paidEvent({ orderId, nullable, transactionId: `txn-${nullable}`, eventId: `evt-${nullable}` }),
      );
      expect(await pipeline.post(body)).toMatchObject({ status: 202, body: '{"status":"accepted"}' });
      const order = await pipeline.order(orderId, ({ status }) => status === 'paid');
      expect(order).toMatchObject({
        order_id: orderId,
        mode: 'live',
        status: 'paid',
        attention: [],
        transactions: [{ id: `txn-${nullable}`, status: 'paid', amount: '100.00', currency: 'USD' }],
        events: [{ id: `evt-${nullable}`, event_name: 'transaction.paid' }],
      });
    });
  }

  fact('changes nothing when it is posted twenty more times', async (pipeline) => {
    const body = bytesOf(paidEvent({ orderId: 'twenty', eventId: 'evt-twenty' }));
    await pipeline.post(body);
    const first = await pipeline.order('twenty', ({ status }) => status === 'paid');
    const again = await Promise.all(Array.from({ length: 20 }, () => pipeline.post(body)));
    expect(again.map(({ status }) => status)).toEqual(Array(20).fill(202));
    await pipeline.settled();
    expect(await pipeline.order('twenty')).toEqual(first);
    expect(await pipeline.rowsOfEvents('live:event:evt-twenty')).toEqual(['event']);
  });

  sequenceFacts(fact);

  fact('keeps an unknown event as history', async (pipeline) => {
    await pipeline.post(bytesOf(unknownEvent({ orderId: 'history', eventName: 'transaction.disputed' })));
    const order = await pipeline.order('history', () => true);
    expect(order).toMatchObject({ status: 'pending', events: [{ event_name: 'transaction.disputed' }] });
  });

  for (const orderId of ['a/b', 'a?b=c&d', 'a%2Fb', 'ümläut 😀', "o'neil #1", 'a b+c']) {
    fact(`is found under the order id ${JSON.stringify(orderId)}`, async (pipeline) => {
      await pipeline.post(bytesOf(paidEvent({ orderId })));
      expect(await pipeline.order(orderId, () => true)).toMatchObject({ order_id: orderId, status: 'paid' });
    });
  }
}

function sequenceFacts(fact: StateFact): void {
  const sequences = [
    ['payment first', [paidEvent, refundedEvent]],
    ['refund first', [refundedEvent, paidEvent]],
    ['failure, refund, payment', [failedEvent, refundedEvent, paidEvent]],
  ] as const;
  for (const [name, makers] of sequences) {
    fact(`ends refunded after its refund: ${name}`, async (pipeline) => {
      const options = { orderId: `order of ${name}`, seed: name };
      for (const make of makers) {
        await pipeline.post(bytesOf(make(options)));
        await pipeline.settled();
      }
      const order = await pipeline.order(options.orderId);
      expect(order).toMatchObject({ status: 'refunded', attention: [] });
      expect(order['events']).toHaveLength(makers.length);
    });
  }
}

export function modeFacts(fact: StateFact): void {
  fact('never meet', async (pipeline) => {
    const options = { orderId: 'both', amount: '5.00' };
    await pipeline.post(bytesOf(paidEvent(options)));
    await pipeline.post(bytesOf(refundedEvent({ ...options, sandbox: true })), { key: 'sandbox' });
    await pipeline.settled();
    expect(await pipeline.order('both')).toMatchObject({ mode: 'live', status: 'paid' });
    expect((await pipeline.get('/orders/both?mode=sandbox')).json).toMatchObject({
      mode: 'sandbox',
      status: 'refunded',
    });
  });

  const disagreements = [
    ['the sandbox key saying sandbox: false', 'sandbox', false],
    ['the live key saying sandbox: true', 'live', true],
  ] as const;
  for (const [name, key, sandbox] of disagreements) {
    fact(`a body signed with ${name} is quarantined and touches no order`, async (pipeline) => {
      const id = `evt ${name}`;
      const body = bytesOf(paidEvent({ orderId: name, eventId: id, sandbox }));
      expect(await pipeline.post(body, { key })).toMatchObject({ status: 202 });
      await pipeline.settled();
      const path = `/events/${encodeURIComponent(id)}?mode=${key}`;
      expect((await pipeline.get(path)).json).toMatchObject({
        outcome: 'quarantined',
        reason: 'sandbox_flag_disagrees',
      });
      for (const mode of ['live', 'sandbox']) {
        expect(await pipeline.get(`/orders/${encodeURIComponent(name)}?mode=${mode}`)).toMatchObject({
          status: 404,
        });
      }
    });
  }
}

export function conflictFacts(fact: StateFact): void {
  fact('keep the first, and mark the order', async (pipeline) => {
    const options = { orderId: 'contested', eventId: 'evt-contested', transactionId: 'T' };
    await pipeline.post(bytesOf(paidEvent(options)));
    await pipeline.settled();
    await pipeline.post(bytesOf(paidEvent({ ...options, amount: '1.00' })));
    await pipeline.settled();
    expect(await pipeline.order('contested')).toMatchObject({
      status: 'paid',
      attention: ['conflicting_event'],
      transactions: [{ amount: '100.00' }],
    });
    expect(await pipeline.event('evt-contested')).toMatchObject({
      outcome: 'applied',
      others: [{ outcome: 'conflict' }],
    });
  });
}

export function hotOrderFacts(fact: StateFact): void {
  fact('holds every fact of 300 events that come at once', async (pipeline) => {
    const bodies = Array.from({ length: 300 }, (_, n) =>
      bytesOf(unknownEvent({ orderId: 'hot', eventId: `hot-${n}`, transactionId: 'T' })),
    );
    const answers = await Promise.all(bodies.map((body) => pipeline.post(body)));
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    await pipeline.settled();
    expect((await pipeline.order('hot'))['events']).toHaveLength(300);
    expect(await pipeline.deadLetters()).toBe(0);
  });
}
