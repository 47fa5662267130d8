import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActTable } from '../lambdas/aws/act-table.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import type { Act } from '../lambdas/ports/acts.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
let acts: ReturnType<typeof createActTable>;
beforeAll(async () => {
  tables = await startTables();
  acts = createActTable(tables.client, 'events');
});
afterAll(() => tables.close());

const act = (fields: Partial<Act> = {}): Act => ({
  act: 'admit',
  by: 'arn:aws:iam::1:user/ann',
  at: '2026-11-21T10:00:00.000Z',
  reason: 'paid at the counter',
  eventId: 'evt-1',
  orderId: 'order-1',
  bodySha256: 'ab'.repeat(32),
  ...fields,
});

describe('the act table', () => {
  it('returns an act from every partition that it concerns', async () => {
    await acts.putAct(act(), ['live:event:both', 'live:order:both']);
    expect(await acts.actsOf('live:event:both')).toEqual([act()]);
    expect(await acts.actsOf('live:order:both')).toEqual([act()]);
  });

  it('stores a repeated act once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => acts.putAct(act(), ['live:event:again'])));
    expect(await acts.actsOf('live:event:again')).toHaveLength(1);
  });

  it('stores an act under its time and a digest, where the repetition by another release finds it', async () => {
    await acts.putAct(act(), ['live:event:named']);
    // printf '["admit","arn:aws:iam::1:user/ann","evt-1","order-1","ab…ab",null]' | sha256sum | cut -c 1-16
    const record = 'act:2026-11-21T10:00:00.000Z:50a19c2a6a8ec846';
    const Key = { event_key: { S: 'live:event:named' }, record: { S: record } };
    const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'events', Key }));
    expect(Item).toMatchObject({ act: { S: 'admit' }, event_id: { S: 'evt-1' } });
  });

  it('stores two acts of one millisecond', async () => {
    await acts.putAct(act(), ['live:event:two']);
    await acts.putAct(act({ by: 'arn:aws:iam::1:user/bob' }), ['live:event:two']);
    expect(await acts.actsOf('live:event:two')).toHaveLength(2);
  });

  it('returns the latest 100 acts, oldest first', async () => {
    const minutes = Array.from({ length: 105 }, (_, n) => `2026-11-21T10:00:${String(n).padStart(4, '0')}`);
    await Promise.all(minutes.map((at) => acts.putAct(act({ at }), ['live:event:many'])));
    const found = await acts.actsOf('live:event:many');
    expect(found).toHaveLength(100);
    expect([found[0]?.at, found.at(-1)?.at]).toEqual([minutes[5], minutes[104]]);
  });

  it('keeps acts out of the records of an event', async () => {
    await acts.putAct(act({ eventId: 'alone' }), ['live:event:alone']);
    expect(await createEventTable(tables.client, 'events').find('live', 'alone')).toEqual([]);
  });

  it('returns a name that was dismissed', async () => {
    const dismissal: Act = {
      act: 'dismiss',
      by: 'arn:aws:iam::1:user/ann',
      at: '2026-11-21T10:00:00.000Z',
      reason: 'of no interest',
      eventName: 'transaction.settled',
    };
    await acts.putAct(dismissal, ['live:name:transaction.settled']);
    expect(await acts.actsOf('live:name:transaction.settled')).toStrictEqual([dismissal]);
  });
});
