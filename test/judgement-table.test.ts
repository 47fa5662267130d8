import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createJudgementTable } from '../lambdas/aws/judgement-table.ts';
import type { Judgement } from '../lambdas/ports/decisions.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
let events: ReturnType<typeof createEventTable>;
let judgements: ReturnType<typeof createJudgementTable>;
beforeAll(async () => {
  tables = await startTables();
  events = createEventTable(tables.client, 'events');
  judgements = createJudgementTable(tables.client, 'events');
});
afterAll(() => tables.close());

const at = '2026-11-21T10:00:00.000Z';
const admitted: Judgement = { verdict: 'admitted', by: 'ann', at, reason: 'ours', orderId: 'order-1' };
const dismissed: Judgement = { verdict: 'dismissed', by: 'bob', at, reason: 'not ours' };

async function stored(
  id: string,
  more: Partial<EventRow> = {},
  without?: 'waiting' | 'fact',
): Promise<EventRow> {
  const row: EventRow = {
    key: `live:event:${id}`,
    record: 'event',
    mode: 'live',
    outcome: 'unassigned',
    waiting: 'unassigned',
    eventId: id,
    fact: '["event.1"]',
    bodySha256: 'ab'.repeat(32),
    keyId: 'abc',
    receivedAt: at,
    recordedAt: at,
    ...more,
  };
  if (without !== undefined) delete row[without];
  await events.put(row);
  return row;
}
const item = async ({ key, record }: EventRow) => {
  const Key = { event_key: { S: key }, record: { S: record } };
  return (await tables.client.send(new GetItemCommand({ TableName: 'events', Key }))).Item;
};
const expected = { outcome: 'unassigned', waiting: 'unassigned', judged: null } as const;

describe('the judgement table', () => {
  it('claims a row that waits, which waits on', async () => {
    const row = await stored('claim');
    expect(await judgements.judge({ row, expected, judged: admitted })).toBe(true);
    expect(await events.getRow(row.key, 'event')).toEqual({ ...row, judged: admitted });
  });

  it('gives a row to one of 20 operators', async () => {
    const row = await stored('race');
    const claims = Array.from({ length: 20 }, (_, n) =>
      judgements.judge({ row, expected, judged: { ...admitted, by: `operator ${n}` } }),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });

  it('takes a dismissed row out of the index of what waits', async () => {
    const row = await stored('dismiss');
    expect(await judgements.judge({ row, expected, judged: dismissed, waiting: null })).toBe(true);
    const { waiting: _, ...kept } = row;
    expect(await events.getRow(row.key, 'event')).toEqual({ ...kept, judged: dismissed });
    expect(await item(row)).not.toHaveProperty('waiting');
  });

  it.each([
    ['has another outcome', { outcome: 'applied' }],
    ['waits for another reason', { waiting: 'order_refused' }],
    ['does not wait', { waiting: null }],
    ['was judged', { judged: admitted }],
  ] as const)('does not judge a row that was expected to be one that %s', async (name, wrong) => {
    const row = await stored(name);
    const change = { row, expected: { ...expected, ...wrong }, judged: dismissed };
    expect(await judgements.judge(change)).toBe(false);
    expect(await events.getRow(row.key, 'event')).toEqual(row);
  });

  it('takes only the expected judgement back', async () => {
    const row = await stored('take back', { judged: admitted });
    const change = { row, judged: null };
    const other = { judged: { ...admitted, by: 'bob' } };
    expect(await judgements.judge({ ...change, expected: other })).toBe(false);
    expect(await judgements.judge({ ...change, expected: { judged: admitted } })).toBe(true);
    const { judged: _, ...kept } = row;
    expect(await events.getRow(row.key, 'event')).toEqual(kept);
  });

  it('judges a row that was expected not to wait, and does not', async () => {
    const row = await stored('settled', {}, 'waiting');
    const change = { row, expected: { outcome: 'unassigned', waiting: null, judged: null } } as const;
    expect(await judgements.judge({ ...change, judged: admitted })).toBe(true);
    expect(await events.getRow(row.key, 'event')).toEqual({ ...row, judged: admitted });
  });

  it.each([
    ['goes on', undefined],
    ['ends', null],
  ])('keeps the expiry of a row whose wait %s', async (name, waiting) => {
    const row = await stored(`wait ${name}`, { expiresAt: 1_800_000_000 });
    const change = { row, expected, judged: dismissed, ...(waiting === null && { waiting }) };
    expect(await judgements.judge(change)).toBe(true);
    expect((await item(row))?.['expires_at']).toEqual({ N: '1800000000' });
  });

  it('lets a dismissed row wait again, without an expiry', async () => {
    const row = await stored('again', { judged: dismissed, expiresAt: 1_800_000_000 });
    const change = { row, expected: { judged: dismissed }, judged: admitted, waiting: 'unassigned' } as const;
    expect(await judgements.judge(change)).toBe(true);
    const after = await item(row);
    expect([after?.['waiting'], after?.['expires_at']]).toEqual([{ S: 'live:unassigned' }, undefined]);
  });

  it('removes a body that is in a row of its own, and keeps the fact that follows from it', async () => {
    const row = await stored('detach', { body: Buffer.from('{}') });
    const { fact: _, ...withoutFact } = row;
    await judgements.judge({
      row,
      expected,
      judged: dismissed,
      waiting: null,
      detachBody: { fact: 'other' },
    });
    const after = await item(withoutFact);
    expect([after?.['body'], after?.['body_encoding'], after?.['fact']]).toEqual([
      undefined,
      undefined,
      { S: '["event.1"]' },
    ]);
  });

  it('gives a row without a fact the one of the body that it loses', async () => {
    const row = await stored('derived', { body: Buffer.from('{}') }, 'fact');
    await judgements.judge({
      row,
      expected,
      judged: dismissed,
      waiting: null,
      detachBody: { fact: 'a fact' },
    });
    expect((await item(row))?.['fact']).toEqual({ S: 'a fact' });
    const other = await stored('not derived', { body: Buffer.from('{}') }, 'fact');
    await judgements.judge({ row: other, expected, judged: dismissed, waiting: null, detachBody: {} });
    expect(await item(other)).not.toHaveProperty('fact');
    expect(await item(other)).not.toHaveProperty('body');
  });

  it('does not create a row', async () => {
    const row = { key: 'live:event:none', record: 'event', mode: 'live' } as const;
    expect(await judgements.judge({ row, expected: {}, judged: dismissed })).toBe(false);
    expect(await events.getRow('live:event:none', 'event')).toBeUndefined();
  });

  it('reads the first event of a name, and judges it', async () => {
    const name = { mode: 'live', eventName: 'a.b', eventId: 'e', orderId: 'o', recordedAt: at } as const;
    await events.putEventName(name);
    expect(await judgements.getEventName('live', 'a.b')).toEqual({ ...name, waiting: 'event_name' });
    const row = { key: 'live:name:a.b', record: 'event_name', mode: 'live' } as const;
    await judgements.judge({ row, expected: { waiting: 'event_name' }, judged: dismissed, waiting: null });
    expect(await judgements.getEventName('live', 'a.b')).toEqual({ ...name, judged: dismissed });
    expect(await judgements.getEventName('live', 'c.d')).toBeUndefined();
  });

  it('forgets the judgement on a row that waits for another reason', async () => {
    const row = await stored('anew', { judged: dismissed });
    const state = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
    await events.settle({ key: row.key, mode: 'live', fact: '["event.1"]', ...state });
    expect(await events.getRow(row.key, 'event')).toEqual({ ...row, ...state, judged: undefined });
  });
});
