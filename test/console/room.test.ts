import type { WaitingCount } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { leadOf, type Room, waitingCounts } from '../../console/page/waiting/room.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const count = (fields: Partial<WaitingCount>): WaitingCount => ({
  ...{ mode: 'live', kind: 'conflict', count: 1, oldest_recorded_at: '2026-11-22T10:00:00.000Z' },
  ...fields,
});
const lead = (fields: Partial<Room>): string =>
  leadOf(
    {
      ...{ mode: 'live', counts: [], attention: { orders: 0, hasMore: false } },
      ...{ deadLetters: 0, feedFailures: 0 },
      ...fields,
    },
    now,
  );

describe('leadOf', () => {
  it('says that nothing waits', () => {
    expect(lead({})).toBe('Nothing waits for a person.');
  });

  it('counts the events of all kinds and gives the time of the oldest', () => {
    const older = count({ kind: 'quarantined', count: 3, oldest_recorded_at: '2026-11-22T09:30:00.000Z' });
    expect(lead({ counts: [count({}), older] })).toBe(
      '4 events wait for a decision, the oldest for 2 h 30 min.',
    );
  });

  it('adds orders with attention, dead letters and changes that were not published', () => {
    const attention = { orders: 1, hasMore: false };
    expect(lead({ counts: [count({})], attention, deadLetters: 2, feedFailures: 1 })).toBe(
      '1 event has waited 2 h for a decision; 1 order needs attention; ' +
        '2 events could not be recorded; 1 change of orders could not be published.',
    );
  });

  it('does not claim to have counted orders of which it has read one page', () => {
    expect(lead({ attention: { orders: 50, hasMore: true } })).toBe('at least 50 orders need attention.');
    expect(lead({ attention: { orders: 1, hasMore: true } })).toBe('at least 1 order needs attention.');
  });

  it('mentions what waits in the other mode', () => {
    const counts = [count({ mode: 'sandbox', count: 2 })];
    expect([lead({ counts }), lead({ counts: [count({})], mode: 'sandbox' })]).toEqual([
      'Nothing waits for a person. In the sandbox, 2 events wait.',
      'Nothing waits for a person. In live mode, 1 event waits.',
    ]);
  });
});

describe('waitingCounts', () => {
  it('lists the kinds of a mode in their usual order, without those of which none waits', () => {
    const counts = [
      count({ kind: 'event_name' }),
      count({ kind: 'unassigned' }),
      count({ kind: 'quarantined', count: 0, oldest_recorded_at: null }),
      count({ kind: 'conflict', mode: 'sandbox' }),
    ];
    expect(waitingCounts(counts, 'live').map(({ kind }) => kind)).toEqual(['unassigned', 'event_name']);
  });
});
