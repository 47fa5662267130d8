import { describe, expect, it } from 'vitest';
import { bodiesOfEventMax } from '../../../lambdas/contract/limits.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { ann, operatorAfter, reason } from '../../doubles/operations.ts';

const settled = sent({ id: 'n', action: 'settled', order: 'A' });
const other = sent({ id: 'p', order: 'B' });
const quarantined = sent({ id: 'q', order: 'A', sandbox: true });
const doubted = sent({ id: 'r', action: 'refunded', transaction: 'T', sandbox: true });
const junk = Buffer.from('junk');

describe('a dismissal of an event', () => {
  it('ends its wait, changes no order, and is among the acts of the event', async () => {
    const { act, states, row, tables, actsAt } = await operatorAfter([refund]);
    const { status, body } = await act('dismiss', { event_id: 'r' });
    expect([status, body]).toMatchObject([200, { act: 'dismiss', changed: true, by: ann, orders: [] }]);
    expect(body.events).toMatchObject([
      {
        before: { outcome: 'unassigned', waiting: 'unassigned' },
        after: { outcome: 'unassigned', waiting: null },
      },
    ]);
    expect(states('r')).toEqual({ event: 'unassigned' });
    const decision = { by: ann, at: body.at, reason };
    expect(row('r').judged).toStrictEqual({ verdict: 'dismissed', ...decision });
    expect(tables.orders.size).toBe(0);
    expect(await actsAt('live:event:r')).toEqual([{ act: 'dismiss', ...decision, eventId: 'r' }]);
  });

  it('keeps an earlier admission: what an operator let count counts with its payment', async () => {
    const { act, consume, row, order } = await operatorAfter([doubted]);
    const admitted = await act('admit', { event_id: 'r' });
    expect(row('r')).toMatchObject({ waiting: 'unassigned', judged: { verdict: 'admitted' } });
    await act('dismiss', { event_id: 'r' });
    expect(row('r').judged).toMatchObject({ verdict: 'dismissed', admittedAt: admitted.body.at });
    expect(row('r')).not.toHaveProperty('waiting');
    await act('dismiss', { event_id: 'r' });
    await consume(payment);
    expect(order('A')?.events).toEqual(['p', 'r']);
  });
});

it('a dismissal with its hash ends the wait of one of more bodies than a repair handles', async () => {
  const others = Array.from({ length: bodiesOfEventMax + 1 }, (_, n) => sent({ id: 'p', order: `B${n}` }));
  const { act, rowsOf, factsOf } = await operatorAfter([payment, ...others]);
  const before = factsOf('B50');
  const last = sha256(sent({ id: 'p', order: 'B50' }).body);
  const first = await act('dismiss', { event_id: 'p', body_sha256: last });
  expect([first.status, first.body.changed]).toEqual([200, true]);
  const dismissed = rowsOf('p').filter(({ judged }) => judged !== undefined);
  expect(dismissed.map(({ bodySha256, waiting }) => [bodySha256, waiting])).toEqual([[last, undefined]]);
  expect(factsOf('B50')).toEqual(before);
  expect((await act('dismiss', { event_id: 'p' })).status).toBe(400);
});

describe('a dismissal of the name of an event', () => {
  const event_name = 'transaction.settled';

  it('is refused when a replay has ended its wait', async () => {
    const { act, setMeanings } = await operatorAfter([settled]);
    setMeanings({ [event_name]: 'paid' });
    await act('replay', {});
    const { status, body } = await act('dismiss', { event_name });
    expect([status, body.detail.includes('does not wait')]).toEqual([409, true]);
  });
});

it.each<[string, string, { readonly body: Uint8Array }[], object]>([
  ['a refund without an order', 'dismiss', [refund], { event_id: 'r' }],
  ['a conflict', 'dismiss', [payment, other], { event_id: 'p' }],
  ['a body that is no event', 'dismiss', [{ body: junk }], { body_sha256: sha256(junk) }],
  ['a quarantined event', 'dismiss', [quarantined], { event_id: 'q' }],
  ['a quarantined event, which it counts', 'admit', [quarantined], { event_id: 'q' }],
])('with a retention, the body of %s expires that long after %s', async (_, verdict, messages, subject) => {
  const { act, tables } = await operatorAfter(messages, { eventRetentionDays: 30 });
  await act(verdict, subject);
  const rows = [...tables.events.values()].filter(({ judged }) => judged !== undefined);
  const expiresAt = Math.floor(Date.parse('2026-11-21T11:00:01.000Z') / 1000) + 30 * 24 * 60 * 60;
  expect(rows).toHaveLength(verdict === 'admit' ? 2 : 1);
  for (const { body, bodyRow } of rows) expect([body !== undefined, bodyRow]).toEqual([true, { expiresAt }]);
});
