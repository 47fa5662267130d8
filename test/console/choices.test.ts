import type { StoredEventRecord, WaitingItem } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import {
  admitChoice,
  subjectFields,
  subjectOfItem,
  subjectOfRecord,
} from '../../console/page/acts/choices.ts';

const item = (fields: Partial<WaitingItem>): WaitingItem => ({
  ...{ kind: 'unassigned', outcome: 'unassigned', reason: null, event_id: 'evt-1' },
  ...{ event_name: 'transaction.refunded', order_id: null, transaction_id: 'T', received_at: null },
  ...{ recorded_at: '2026-11-22T10:00:00.000Z', body_sha256: '1'.repeat(64), key_id: 'k' },
  ...fields,
});
const record = (fields: Partial<StoredEventRecord>): StoredEventRecord => ({
  ...{ record: 'event', outcome: 'unassigned', reason: null, waiting: 'unassigned' },
  ...{ event_name: 'transaction.refunded', order_id: null, transaction_id: 'T' },
  ...{ received_at: '2026-11-22T10:00:00.000Z', recorded_at: '2026-11-22T10:00:00.000Z' },
  ...{ key_id: 'k', signature: 'cd', body_sha256: '1'.repeat(64), has_body: true },
  ...{ judged: null, erased: null, counts: false },
  ...fields,
});
const dismissed: NonNullable<StoredEventRecord['judged']> = {
  ...{ verdict: 'dismissed', by: 'arn:aws:iam::1:user/kim', at: '2026-11-22T11:00:00.000Z' },
  ...{ reason: 'a test', order_id: null },
};

describe('admitChoice', () => {
  it.each<[string, Partial<WaitingItem>, string]>([
    ['an unassigned event', {}, 'required'],
    ['an event with an unusable order id', { kind: 'quarantined', reason: 'order_id_invalid' }, 'required'],
    ['a quarantined event of an order', { kind: 'quarantined', order_id: 'order-1' }, 'none'],
    ['a quarantined event without an order', { kind: 'quarantined' }, 'optional'],
    ['an event of a full order', { kind: 'order_refused', order_id: 'order-1' }, 'none'],
    ['a conflict of an order', { kind: 'conflict', order_id: 'order-1' }, 'none'],
    ['a conflict without an order', { kind: 'conflict' }, 'optional'],
    ['a body that is no event', { kind: 'unrecognised', event_id: null }, 'optional'],
  ])('has the field for the order of %s as needed', (_, fields, order) => {
    expect(admitChoice(subjectOfItem(item(fields), 'live'))).toEqual({ isOffered: true, order });
  });

  it('does not offer to admit an event name, and names the setting that gives it a meaning', () => {
    const choice = admitChoice(subjectOfItem(item({ kind: 'event_name' }), 'live'));
    expect(choice).toEqual({
      isOffered: false,
      why: 'A name without a meaning: find out what it means, set it in eventMeanings, deploy, and replay.',
    });
  });
});

describe('subjectFields', () => {
  const fieldsOf = (fields: Partial<WaitingItem>) => subjectFields(subjectOfItem(item(fields), 'sandbox'));

  it('names an event with its body, because others may have its id', () => {
    expect(fieldsOf({})).toEqual({ mode: 'sandbox', event_id: 'evt-1', body_sha256: '1'.repeat(64) });
  });

  it('names an event name, not the event that had it first', () => {
    expect(fieldsOf({ kind: 'event_name', event_name: 'transaction.odd', body_sha256: null })).toEqual({
      ...{ mode: 'sandbox', event_name: 'transaction.odd' },
    });
  });
});

describe('subjectOfRecord', () => {
  const subjectOf = (fields: Partial<StoredEventRecord>) =>
    subjectOfRecord(record(fields), { id: 'evt-1', mode: 'live' });

  it('offers nothing for an event that is applied', () => {
    expect(subjectOf({ outcome: 'applied', waiting: null })).toBeUndefined();
  });

  it.each<[Partial<StoredEventRecord>, string]>([
    [{ outcome: 'unassigned' }, 'unassigned'],
    [{ outcome: 'conflict', record: 'conflict' }, 'conflict'],
    [{ outcome: 'quarantined', record: 'quarantine' }, 'quarantined'],
    [{ outcome: 'quarantined', record: 'event' }, 'order_refused'],
    [{ outcome: 'unrecognised', record: 'unrecognised' }, 'unrecognised'],
  ])('can still admit the dismissed record %o', (fields, kind) => {
    const subject = subjectOf({ ...fields, waiting: null, judged: dismissed });
    expect([subject?.kind, subject?.waits]).toEqual([kind, false]);
  });
});
