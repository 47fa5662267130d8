import type {
  OrderAct,
  OrderEventDetail,
  OtherBody,
  StateReason,
  WaitingEvent,
} from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { type TimelineEntry, timelineOf } from '../../console/page/order/timeline.ts';

const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
const event = (id: string, second: number, more: Partial<OrderEventDetail> = {}): OrderEventDetail => ({
  ...{ id, event_name: 'transaction.paid', transaction_id: 't', amount: '45.00', currency: 'USD' },
  ...{ received_at: at(second), recorded_at: `2026-11-21T10:00:0${second}.040Z` },
  ...{ status_after: 'paid', attention_after: [], outcome: 'applied', key_id: 'k', body_sha256: `sha-${id}` },
  ...{ counts: true, others: [], ...more },
});
const other = (second: number, more: Partial<OtherBody> = {}): OtherBody => ({
  ...{ outcome: 'conflict', reason: null, waiting: 'conflict', order_id: 'o', key_id: 'k', counts: false },
  ...{ received_at: at(second), recorded_at: at(second), body_sha256: 'sha-other' },
  ...{ amount: '54.00', currency: 'USD' },
  ...{ status_after: 'paid', attention_after: ['conflicting_event'], ...more },
});
const waiting = (event_id: string, body_sha256: string, second: number): WaitingEvent => ({
  ...{ event_id, event_name: 'transaction.paid', kind: 'quarantined', outcome: 'quarantined' },
  ...{ reason: 'sandbox_flag_missing', received_at: at(second), body_sha256 },
});
const act = (second: number, more: Partial<OrderAct> = {}): OrderAct => ({
  ...{ act: 'resolve', by: 'ana', at: at(second), reason: 'checked', event_id: null, order_id: 'o' },
  ...{ body_sha256: null, attention: 'disputed', ...more },
});
const message = (second: number, caused_by?: readonly string[]) => ({
  ...{ id: `m${second}`, at: at(second), is_published: true, sequence: second, previous_status: null },
  ...{ status: 'paid', error_code: null },
  body: caused_by && { caused_by: caused_by.map((id) => ({ id })) },
});
const reason = (rule: StateReason['rule'], ...event_ids: string[]): StateReason => ({
  ...{ rule, transaction_id: 't', event_ids, amount: null, currency: null },
});

interface Given {
  readonly events?: readonly OrderEventDetail[];
  readonly waiting?: readonly WaitingEvent[];
  readonly acts?: readonly OrderAct[];
  readonly reasons?: readonly StateReason[];
  readonly messages?: Parameters<typeof timelineOf>[1];
}
const timeline = ({ events = [], waiting: waits = [], acts = [], reasons = [], messages }: Given) =>
  timelineOf({ events: [...events], waiting: [...waits], acts: [...acts], reasons: [...reasons] }, messages);
const changeOf = ({ change }: TimelineEntry) =>
  change && [change.before, change.after, change.raised.join(), change.ended.join()];

describe('the timeline of an order', () => {
  it('shows what each event changed, and how long it took to be recorded', () => {
    const events = [
      event('b', 2, { status_after: 'paid', attention_after: ['multiple_paid_transactions'] }),
      event('a', 1),
      event('c', 3, { status_after: 'partially_refunded' }),
    ];
    const entries = timeline({ events });
    expect(entries.map(({ key }) => key)).toEqual(['event a', 'event b', 'event c']);
    expect(entries.map(changeOf)).toEqual([
      [null, 'paid', '', ''],
      ['paid', 'paid', 'multiple_paid_transactions', ''],
      ['paid', 'partially_refunded', '', 'multiple_paid_transactions'],
    ]);
    expect(entries[0]?.recordedInMilliseconds).toBe(40);
  });

  it('names what each event did to the money', () => {
    const reasons = [
      reason('payment_counted', 'a'),
      reason('refund_partial', 'b'),
      reason('multiple_paid_transactions', 'a', 'c'),
    ];
    const events = [event('a', 1), event('b', 2), event('c', 3), event('d', 4)];
    const entries = timeline({ events, reasons: [...reasons, reason('disputed', 'd')] });
    expect(entries.map((entry) => entry.kind === 'event' && entry.role)).toEqual([
      ...['payment', 'refund', 'none', 'dispute'],
    ]);
  });

  it('lists a conflicting body in its place, before or after the one that counts, and once', () => {
    const events = [
      event('a', 3, { attention_after: ['conflicting_event'], others: [other(1, { attention_after: [] })] }),
    ];
    const waits = [waiting('a', 'sha-other', 1), waiting('q', 'sha-q', 2)];
    const entries = timeline({ events, waiting: waits });
    expect(entries.map(({ kind }) => kind)).toEqual(['body', 'waiting', 'event']);
    expect(entries.map(changeOf)).toEqual([
      [null, 'paid', '', ''],
      null,
      ['paid', 'paid', 'conflicting_event', ''],
    ]);
  });

  it('marks the body that counts when it waits for a person', () => {
    const [entry] = timeline({ events: [event('a', 1)], waiting: [waiting('a', 'sha-a', 1)] });
    expect(entry).toMatchObject({ kind: 'event', waiting: 'quarantined' });
  });

  it('ends an attention when an operator resolves it, and raises it again with the next event', () => {
    const disputed = ['disputed' as const];
    const events = [
      event('a', 1, { attention_after: disputed }),
      event('b', 3, { attention_after: disputed }),
    ];
    expect(timeline({ events, acts: [act(2)] }).map(changeOf)).toEqual([
      [null, 'paid', 'disputed', ''],
      ['paid', 'paid', '', 'disputed'],
      ['paid', 'paid', 'disputed', ''],
    ]);
  });

  it('claims no change where the state before is not known', () => {
    const old = event('a', 1, { status_after: null, attention_after: null });
    const next = event('b', 2, { attention_after: ['disputed'] });
    expect(timeline({ events: [old, next] }).map(changeOf)).toEqual([null, [null, 'paid', '', '']]);
  });

  it('shows no change for a body that added nothing, and for acts that resolve nothing', () => {
    const quarantined = other(2, { outcome: 'quarantined', status_after: null, attention_after: null });
    const events = [event('a', 1, { others: [quarantined] }), event('b', 4)];
    const entries = timeline({ events, acts: [act(3, { act: 'erase', attention: null })] });
    expect(entries.map(changeOf)).toEqual([[null, 'paid', '', ''], null, null, ['paid', 'paid', '', '']]);
  });

  it('puts an event whose row cannot be read first', () => {
    const unread = event('z', 1, { received_at: null, recorded_at: null });
    const entries = timeline({ events: [event('a', 1), unread] });
    expect(entries.map(({ key, recordedInMilliseconds }) => [key, recordedInMilliseconds])).toEqual([
      ['event z', null],
      ['event a', 40],
    ]);
  });

  it('puts a message of the feed next to the event that it names, or else the latest change before it', () => {
    const events = [event('a', 1), event('b', 2)];
    const messagesOf = (...messages: ReturnType<typeof message>[]) =>
      timeline({ events, messages }).map((entry) => entry.messages.map(({ id }) => id));
    expect(messagesOf(message(3, ['a']), message(4, ['b']))).toEqual([['m3'], ['m4']]);
    expect(messagesOf(message(2), message(5))).toEqual([['m2'], ['m5']]);
    expect(messagesOf(message(0))).toEqual([['m0'], []]);
    const old = { status_after: null, attention_after: null };
    const entries = timeline({ events: [event('a', 1, old), event('b', 2, old)], messages: [message(3)] });
    expect(entries.map((entry) => entry.messages.length)).toEqual([0, 1]);
  });
});
