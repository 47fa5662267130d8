import { describe, expect, it } from 'vitest';
import { subjectAmong } from '../lambdas/operations/replay-subject.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { meaningOf } from './doubles/fold.ts';
import { deliver, readAs } from './doubles/misread.ts';
import { sha256 } from './doubles/older-parser.ts';
import { sharedTables } from './doubles/operators-at-once.ts';

const settings = { eventRetentionDays: undefined, meaningOf };
const refund = { id: 'r', action: 'refunded', amount: '1.00' };
const judged = { by: 'ann', at: '2026-11-22T09:00:00.000Z', reason: 'checked', orderId: 'K' };
const unreadable = Buffer.from('{}');

/** The row of a refund that waits. */
async function waiting(): Promise<EventRow> {
  const tables = sharedTables();
  await deliver(tables, refund);
  const row = tables.events.get('live:event:r event');
  if (row === undefined) throw new Error('The refund has no row.');
  return row;
}

describe('an event whose payment has moved', () => {
  it('is left to the operator while its admission is under way', async () => {
    const rows = [
      { ...(await waiting()), judged: { verdict: 'admitted', ...judged }, body: unreadable } as const,
    ];
    const result = subjectAmong(rows, settings, { follows: true, isHeld: true });
    expect(result).toEqual({ ok: false, reason: 'waiting' });
  });

  it('is left to the operator after it was dismissed', async () => {
    const { waiting: _, ...row } = await waiting();
    const rows = [{ ...row, judged: { verdict: 'dismissed', ...judged }, body: unreadable } as const];
    const result = subjectAmong(rows, settings, { follows: true, isHeld: true });
    expect(result).toEqual({ ok: false, reason: 'dismissed' });
  });
});

it.each([
  ['unassigned', true],
  ['order_refused', false],
] as const)('an event that waits as %s is replayed with an order that shows it: %s', async (kind, ok) => {
  const rows = [{ ...(await waiting()), waiting: kind }];
  expect(subjectAmong(rows, settings, { follows: false, isHeld: true })).toMatchObject({ ok });
  expect(subjectAmong(rows, settings, { follows: false, isHeld: false })).toMatchObject({ ok: false });
});

it('an event that cannot be read follows its payment alone: its other bodies stay as they are', async () => {
  const tables = sharedTables();
  const conflict = { ...refund, order: 'C', amount: '7.00' };
  await deliver(tables, { id: 'p', order: 'A' }, refund, { ...refund, attempt: 1 }, conflict);
  const body_sha256 = sha256(eventBody(conflict));
  await tables.act('admit', { event_id: 'r', body_sha256, order_id: 'C' });
  for (const [at, row] of tables.events) {
    if (row.record === 'event' && row.eventId === 'r') tables.events.set(at, { ...row, body: unreadable });
    const other = eventBody({ ...refund, amount: '3.00' });
    if (row.record.startsWith('variant:')) tables.events.set(at, { ...row, body: other });
  }
  const result = subjectAmong(await tables.reader.find('live', 'r'), settings, {
    follows: true,
    isHeld: false,
  });
  expect(result).toMatchObject({ ok: true, subject: { conflicts: [], isAlone: true } });
  const before = [...tables.events.keys()];
  readAs(tables, { id: 'p', order: 'B' });
  await tables.act('replay', { event_id: 'p' });
  expect([...tables.events.keys()]).toEqual(before);
  expect(tables.orderViews()).toMatchObject({ B: { events: ['p', 'r'] }, C: { events: ['r'] } });
});
