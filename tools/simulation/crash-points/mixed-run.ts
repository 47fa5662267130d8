import type { createCaller } from './caller.ts';

type Caller = ReturnType<typeof createCaller>;
export type Step = (caller: Caller) => Promise<unknown>;

/** By what happens, one step after the other. Each leaves its rows to the next. */
export const mixedRun: Readonly<Record<string, Step>> = {
  'a payment': ({ send }) => send({ id: 'paid', order: 'A', transaction: 'T1' }),
  'a refund': ({ send }) =>
    send({ id: 'refunded', action: 'refunded', order: 'A', transaction: 'T1', amount: '30.00' }),
  'a duplicate': ({ send }) => send({ id: 'paid', order: 'A', transaction: 'T1' }),
  'a duplicate in other bytes': ({ send }) => send({ id: 'paid', order: 'A', transaction: 'T1', attempt: 2 }),
  'a conflict': ({ send }) => send({ id: 'paid', order: 'A', transaction: 'T1', amount: '1.00' }),
  'a refund before its payment': ({ send }) =>
    send({ id: 'refund first', action: 'refunded', transaction: 'T2', amount: '5.00' }),
  'the payment of that refund': ({ send }) => send({ id: 'paid later', order: 'B', transaction: 'T2' }),
  'a second payment of an order': ({ send }) => send({ id: 'paid twice', order: 'A', transaction: 'T5' }),
  'a transaction paid in two orders': ({ send }) =>
    send({ id: 'in another order', order: 'B', transaction: 'T5' }),
  'a refund that stays unassigned': ({ send }) =>
    send({ id: 'unassigned', action: 'refunded', transaction: 'T3', amount: '7.00' }),
  'another one': ({ send }) => send({ id: 'unwanted', action: 'refunded', transaction: 'T4' }),
  'a sandbox payment': ({ send }) =>
    send({ id: 'of the sandbox', order: 'A', transaction: 'T1', isSandbox: true }),
  'a sandbox flag against its key': ({ send }) =>
    send({ id: 'wrong mode', order: 'D', transaction: 'T6', isSandbox: true, key: 'live' }),
  'a forgery': ({ send }) => send({ id: 'forged', order: 'A', transaction: 'T1', key: 'forged' }),
  'an order id that is too long': ({ send }) =>
    send({ id: 'long order id', order: 'x'.repeat(1_025), transaction: 'T7' }),
  'an event name of no meaning': ({ send }) =>
    send({ id: 'of no meaning', action: 'updated', order: 'A', transaction: 'T1' }),
  'a body that is not JSON': ({ sendText }) => sendText('not JSON'),
  'three payments of an order at once': ({ send }) =>
    Promise.all(
      ['T8', 'T9', 'T10'].map((transaction) => send({ id: `of ${transaction}`, order: 'E', transaction })),
    ),
  'admit an unassigned event': ({ act }) => act('admit', { event_id: 'unassigned', order_id: 'C' }),
  'dismiss an unassigned event': ({ act }) => act('dismiss', { event_id: 'unwanted' }),
  'admit a conflict': ({ act }) => act('admit', { event_id: 'paid' }),
  'admit an event from quarantine': ({ act }) => act('admit', { event_id: 'wrong mode' }),
  'admit an event under another order id': ({ act }) =>
    act('admit', { event_id: 'long order id', order_id: 'F' }),
  'resolve a double charge': async ({ act, read }) => {
    const { sequence } = await read('GET /orders/{order_id}', { order_id: 'E' });
    await act('resolve', { order_id: 'E', sequence, attention: ['multiple_paid_transactions'] });
  },
  'replay an order and publish it': ({ act }) => act('replay', { order_id: 'A', publish: true }),
  'erase an event': ({ act }) => act('erase', { event_id: 'paid later' }),
  'list the orders': ({ read }) => read('GET /orders'),
  'read the events of an order': ({ read }) => read('GET /orders/{order_id}/events', { order_id: 'A' }),
};
