import { expect, it } from 'vitest';
import { withoutTransactions } from '../../../lambdas/projection/without-transactions.ts';
import { consumerOver, delivered } from '../../doubles/consumer.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { operationsOver, reason } from '../../doubles/operations.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

/** What a deployment has stored, and the next one, whose setting `transactionRows` is false. */
async function switchedOff(...messages: (typeof payment)[]) {
  const { tables, settings, wait, ...stored } = await delivered(messages);
  const parts = { ...settings, store: withoutTransactions(tables.open().store) };
  wait(3_600);
  return {
    ...stored,
    deliver: (message: typeof payment) => consumerOver(parts.store, settings)(sqsEvent(message)),
    async post(name: string, fields: object) {
      const request = { routeKey: `POST /operations/${name}`, body: JSON.stringify(fields) };
      return JSON.parse((await operationsOver(tables, parts)(gatewayEvent(request))).body ?? '');
    },
  };
}

it('a refund stays in the order that it found through its transaction', async () => {
  const { deliver, post, order } = await switchedOff(payment, refund);
  await deliver(refund);
  expect((await post('verify', {})).differences).toEqual([]);
  await post('replay', { reason });
  expect(order('A')).toMatchObject({ status: 'partially_refunded', events: ['p', 'r'] });
});

it('the order that an operator gave an event gets a conflicting body of it, but not one of another order', async () => {
  const { deliver, post, order } = await switchedOff(payment);
  await deliver(refund);
  expect(order('A')).toMatchObject({ status: 'paid', events: ['p'] });
  await post('admit', { reason, event_id: 'r', order_id: 'A' });
  await deliver(sent({ id: 'r', action: 'refunded', amount: '100.00' }));
  expect(order('A')).toMatchObject({ status: 'refunded', attention: ['conflicting_event'] });
  await deliver(sent({ id: 'r', action: 'refunded', amount: '150.00', order: 'B' }));
  expect(order('A')).toMatchObject({ status: 'refunded', attention: ['conflicting_event'] });
});
