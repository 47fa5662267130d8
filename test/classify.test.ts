import { paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { type Classification, classify } from '../lambdas/consumer/classify.ts';

const classified = (transactionId: unknown): Classification => {
  const { payload, ...event } = paidEvent({ orderId: 'order-1' });
  const transaction = { ...payload.transaction, id: transactionId };
  const body = Buffer.from(JSON.stringify({ ...event, payload: { ...payload, transaction } }));
  return classify({ body, mode: 'live' });
};

describe('classify', () => {
  it.each([
    ['longer than 256 bytes', 't'.repeat(257)],
    ['longer than 256 bytes with its escapes', '\u0000'.repeat(43)],
    ['not valid Unicode', '\ud800'],
    ['true', true],
    ['a list', ['T']],
  ])('quarantines an event whose transaction id is %s, instead of counting it apart', (_, id) => {
    expect(classified(id)).toMatchObject({ kind: 'quarantined', reason: 'transaction_id_invalid' });
  });

  it.each([[null], ['']])('applies an event with the transaction id %j, which names none', (id) => {
    expect(classified(id)).toMatchObject({ kind: 'applied', orderId: 'order-1' });
  });
});
