import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/classify.ts';
import { createMeaningOf } from '../../../lambdas/domain/assumptions.ts';
import type { AnyMode } from '../../../lambdas/domain/signature.ts';
import { type EventFields, eventBody } from '../../doubles/event-body.ts';

const classify = createClassify(createMeaningOf({ 'transaction.settled': 'paid' }));
const classified = (fields: Partial<EventFields>, mode: AnyMode = 'live') =>
  classify({ body: eventBody({ id: 'p', order: 'A', ...fields }), mode });

describe('a message is', () => {
  it('an event with its reading, which includes the meaning of its name', () => {
    expect(classified({ action: 'settled' })).toEqual({
      kind: 'event',
      eventId: 'p',
      reading: {
        ...{ eventName: 'transaction.settled', meaning: 'paid', orderId: 'A', transactionId: 'T' },
        ...{ amount: '100.00', currency: 'USD', createdAt: null },
      },
    });
    expect(classified({ action: 'unknown' })).toMatchObject({ kind: 'event', reading: { meaning: null } });
  });

  it.each<[string, Partial<EventFields>, AnyMode, string]>([
    ['is true for a live key', { sandbox: true }, 'live', 'sandbox_flag_disagrees'],
    ['is false for a sandbox key', {}, 'sandbox', 'sandbox_flag_disagrees'],
    ['is false for the key of heartbeats', {}, 'heartbeat', 'sandbox_flag_disagrees'],
    ['is no flag', { sandbox: 'yes' as never }, 'live', 'sandbox_flag_missing'],
  ])('quarantined when its sandbox flag %s', (_, fields, mode, reason) => {
    expect(classified(fields, mode)).toMatchObject({ kind: 'quarantined', reason, eventId: 'p' });
  });

  it('quarantined without an order when its order id is not one', () => {
    const reading = { orderId: null, transactionId: 'T' };
    const order = 'x'.repeat(1_025);
    expect(classified({ order })).toMatchObject({ kind: 'quarantined', reason: 'order_id_invalid', reading });
  });

  it('quarantined without a transaction when its transaction id is not one', () => {
    const expected = { reason: 'transaction_id_invalid', reading: { orderId: 'A', transactionId: null } };
    expect(classified({ transaction: 'x'.repeat(257) })).toMatchObject({ kind: 'quarantined', ...expected });
  });

  it.each<[string, Uint8Array, string]>([
    ['no JSON', Buffer.from('no JSON'), 'not_json'],
    ['no UTF-8', Buffer.from([0xff]), 'not_utf8'],
  ])('unrecognised when its body is %s', (_, body, reason) => {
    expect(classify({ body, mode: 'live' })).toEqual({ kind: 'unrecognised', reason });
  });
});

it('a body is what the parser of the release makes of it', () => {
  const fields = {
    ...{ eventName: 'transaction.paid', orderId: 'B', transactionId: 'U' },
    ...{ amount: '1.00', currency: 'EUR', createdAt: null },
  };
  const event = { id: 'x', sandbox: false, fields, invalidId: undefined };
  const other = createClassify(createMeaningOf(), () => ({ ok: true, event }));
  const reading = { orderId: 'B', transactionId: 'U', meaning: 'paid', amount: '1.00' };
  expect(other({ body: Buffer.from('any'), mode: 'live' })).toMatchObject({ eventId: 'x', reading });
});
