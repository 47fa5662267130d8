import type { StoredEventRecord, WaitingItem } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import {
  orderField,
  subjectFields,
  subjectOfItem,
  subjectOfRecord,
} from '../../console/page/acts/choices.ts';
import { waitingItem } from '../doubles/listed-orders.ts';

const item = (fields: Partial<WaitingItem>): WaitingItem => ({ ...waitingItem('evt-1', 1_000), ...fields });

it.each<[string, Partial<WaitingItem>, string | undefined]>([
  ['an unassigned event', { kind: 'unassigned', order_id: null }, 'required'],
  [
    'an event with an unusable order id',
    { kind: 'quarantined', order_id: null, reason: 'order_id_invalid' },
    'required',
  ],
  ['a quarantined event without an order', { kind: 'quarantined', order_id: null, reason: null }, 'optional'],
  ['a conflict of an order', { kind: 'conflict', order_id: 'order-1' }, undefined],
])('the operator names the order to admit %s to, as needed', (_, fields, field) => {
  expect(orderField(subjectOfItem(item(fields), 'live'))).toBe(field);
});

it('a conflict whose order has both bodies is settled, on the waiting page as on that of its event', () => {
  const event = { order_id: 'A', meaning: 'paid', amount: '75.00', currency: 'USD' } as const;
  const isSettled = (order_id: string | null) =>
    subjectOfItem(item({ kind: 'conflict', order_id, event }), 'live').isSettled;
  expect(['A', 'B', null].map(isSettled)).toEqual([true, false, false]);
});

it('an act names an event with its body, because others may have its id, and a name by itself', () => {
  const fieldsOf = (fields: Partial<WaitingItem>) => subjectFields(subjectOfItem(item(fields), 'sandbox'));
  const body_sha256 = '1'.repeat(64);
  expect(fieldsOf({ kind: 'conflict', body_sha256 })).toEqual({
    ...{ mode: 'sandbox', event_id: 'evt-1', body_sha256 },
  });
  expect(fieldsOf({ kind: 'event_name', event_name: 'transaction.odd', body_sha256: null })).toEqual({
    ...{ mode: 'sandbox', event_name: 'transaction.odd' },
  });
});

describe('subjectOfRecord', () => {
  const judged = {
    verdict: 'dismissed',
    by: 'kim',
    at: '2026-11-22T11:00:00Z',
    reason: 'a test',
    order_id: null,
  };
  const subjectOf = (fields: Partial<StoredEventRecord>) =>
    subjectOfRecord({ waiting: null, judged: null, ...fields } as StoredEventRecord, {
      ...{ id: 'e', mode: 'live', records: [] },
    });

  it('offers nothing for an event that is applied', () => {
    expect(subjectOf({ outcome: 'applied' })).toBeUndefined();
  });

  it.each<[Partial<StoredEventRecord>, string]>([
    [{ outcome: 'conflict', record: 'conflict' }, 'conflict'],
    [{ outcome: 'quarantined', record: 'quarantine' }, 'quarantined'],
    [{ outcome: 'quarantined', record: 'event' }, 'order_refused'],
  ])('can still admit the dismissed record %o', (fields, kind) => {
    const subject = subjectOf({ ...fields, judged } as Partial<StoredEventRecord>);
    expect([subject?.kind, subject?.waits]).toEqual([kind, false]);
  });
});
