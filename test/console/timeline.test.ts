import type { OrderAct, OrderEventDetail, OtherBody, WaitingEvent } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { type TimelineEntry, timelineOf } from '../../console/page/order/timeline.ts';

const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
const reading = { meaning: 'paid', amount: '45.00', currency: 'USD' } as const;
const event = (id: string, second: number, more: Partial<OrderEventDetail> = {}): OrderEventDetail => ({
  ...{ id, event_name: 'transaction.paid', transaction_id: 't', ...reading },
  ...{ received_at: at(second), recorded_at: `2026-11-21T10:00:0${second}.040Z` },
  ...{ status_after: 'paid', attention_after: [], outcome: 'applied', key_id: 'k', body_sha256: `sha-${id}` },
  ...{ counts: true, others: [], ...more },
});
const other = (second: number, more: Partial<OtherBody> = {}): OtherBody => ({
  ...{ outcome: 'conflict', reason: null, waiting: 'conflict', order_id: 'o', key_id: 'k', counts: false },
  ...{ received_at: at(second), recorded_at: at(second), body_sha256: 'sha-other' },
  ...{ ...reading, amount: '54.00' },
  ...{ status_after: 'paid', attention_after: ['conflicting_event'], ...more },
});
const waiting = (event_id: string, body_sha256: string, second: number): WaitingEvent => ({
  ...{ event_id, event_name: 'transaction.paid', ...reading, kind: 'quarantined', outcome: 'quarantined' },
  ...{ reason: 'sandbox_flag_missing', received_at: at(second), body_sha256 },
});
const act = (second: number, more: Partial<OrderAct> = {}): OrderAct => ({
  ...{ act: 'resolve', by: 'ana', at: at(second), reason: 'checked', event_id: null, order_id: 'o' },
  ...{ body_sha256: null, proposal: null, attention: 'disputed', ...more },
});

interface Given {
  readonly events?: readonly OrderEventDetail[];
  readonly waiting?: readonly WaitingEvent[];
  readonly acts?: readonly OrderAct[];
}
const timeline = ({ events = [], waiting: waits = [], acts = [] }: Given) =>
  timelineOf({ events: [...events], waiting: [...waits], acts: [...acts] });
const changeOf = ({ change }: TimelineEntry) =>
  change && [change.before, change.after, change.raised.join(), change.ended.join()];

describe('the timeline of an order', () => {
  it('shows what each event changed', () => {
    const events = [
      event('b', 2, { status_after: 'paid', attention_after: ['multiple_paid_transactions'] }),
      event('a', 1),
      event('c', 3, { status_after: 'partially_refunded' }),
    ];
    const entries = timeline({ events });
    expect(entries.map(({ eventId }) => eventId)).toEqual(['a', 'b', 'c']);
    expect(entries.map(changeOf)).toEqual([
      [null, 'paid', '', ''],
      ['paid', 'paid', 'multiple_paid_transactions', ''],
      ['paid', 'partially_refunded', '', 'multiple_paid_transactions'],
    ]);
  });

  it('names what each event did to the money', () => {
    const meanings = ['paid', 'refunded', 'failed', 'disputed', 'history'] as const;
    const events = meanings.map((meaning, n) => event(`e${n}`, n, { meaning, event_name: 'transaction.x' }));
    expect(timeline({ events }).map(({ title, aside }) => [title, aside])).toEqual([
      ['Payment of 45.00 USD', 'transaction.x'],
      ['Refund of 45.00 USD', 'transaction.x'],
      ['Failed payment of 45.00 USD', 'transaction.x'],
      ['Dispute of 45.00 USD', 'transaction.x'],
      ['transaction.x of 45.00 USD', 'changed nothing about the money'],
    ]);
  });

  it('lists a conflicting body in its place, before or after the one that counts, and once', () => {
    const events = [
      event('a', 3, { attention_after: ['conflicting_event'], others: [other(1, { attention_after: [] })] }),
    ];
    const waits = [waiting('a', 'sha-other', 1), waiting('q', 'sha-q', 2)];
    const entries = timeline({ events, waiting: waits });
    expect(entries.map(({ title }) => title)).toEqual([
      'A different version of this event, of 54.00 USD',
      ...['Payment of 45.00 USD waits for a person', 'Payment of 45.00 USD'],
    ]);
    expect(entries.map(changeOf)).toEqual([
      [null, 'paid', '', ''],
      null,
      ['paid', 'paid', 'conflicting_event', ''],
    ]);
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
});
