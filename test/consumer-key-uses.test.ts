import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { createKeyUseTable } from '../lambdas/aws/key-use-table.ts';
import { failing, setUpConsumer } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { startTables } from './doubles/local-tables.ts';
import type { FaultInjector } from './doubles/memory-stores.ts';

const at = (minutes: number, seconds = 0): string =>
  new Date(Date.UTC(2026, 10, 21, 10, minutes, seconds)).toISOString();
let n = 0;
const sent = (minutes: number, seconds = 0, more: { keyId?: string; mode?: 'sandbox' } = {}) => {
  n += 1;
  return { body: eventBody({ id: `e${n}`, order: 'A' }), receivedAt: at(minutes, seconds), ...more };
};

/** How many times the use of a key was stored, with every other call. */
function countUses() {
  let uses = 0;
  const inject: FaultInjector = (moment, operation) => {
    if (moment === 'before' && operation === 'putKeyUse') uses += 1;
  };
  return { inject, uses: () => uses };
}

it('a consumer stores the last use of a key once in five minutes, whatever the size of a batch', async () => {
  const { inject, uses } = countUses();
  const { consume, keyUses } = setUpConsumer({ inject });
  await consume(sent(0), sent(0, 1), sent(0, 2));
  await consume(sent(4, 59));
  expect([...keyUses, uses()]).toEqual([['live 9a76d0a46113', at(0)], 1]);
  await consume(sent(5));
  expect([...keyUses, uses()]).toEqual([['live 9a76d0a46113', at(5)], 2]);
});

it('a consumer stores the uses of several keys and modes separately', async () => {
  const { consume, keyUses } = setUpConsumer();
  await consume(sent(0), sent(1, 0, { keyId: 'bbbbbbbbbbbb' }), sent(2, 0, { mode: 'sandbox' }));
  expect([...keyUses].toSorted()).toEqual([
    ['live 9a76d0a46113', at(0)],
    ['live bbbbbbbbbbbb', at(1)],
    ['sandbox 9a76d0a46113', at(2)],
  ]);
});

it('an old message that is redriven neither moves the last use of its key back nor hides a newer one', async () => {
  const { inject, uses } = countUses();
  const { consume, keyUses } = setUpConsumer({ inject });
  await consume(sent(30));
  await consume(sent(0), sent(10));
  expect([...keyUses, uses()]).toEqual([['live 9a76d0a46113', at(30)], 1]);
  const other = setUpConsumer();
  await other.consume(sent(0));
  await other.consume(sent(30));
  expect([...other.keyUses]).toEqual([['live 9a76d0a46113', at(30)]]);
});

it.each([
  ['an error', new Error('throttled'), { error_name: 'Error', error_message: 'throttled' }],
  ['a thrown text', 'throttled' as never, { error_name: undefined, error_message: undefined }],
])(
  'an event is applied although the use of its key ends in %s, and the next event stores it',
  async (...given) => {
    const [, thrown, logged] = given;
    const { inject, repair } = failing('putKeyUse', thrown);
    const { consume, keyUses, statuses, telemetry } = setUpConsumer({ inject });
    expect(await consume(sent(0))).toEqual([]);
    expect(statuses()).toEqual([['live:order:A', 'paid']]);
    expect(telemetry.lines.filter(({ level }) => level !== 'info')).toEqual([
      {
        level: 'warn',
        message: 'the last use of a private key is not stored',
        fields: { mode: 'live', key_id: '9a76d0a46113', ...logged },
      },
    ]);
    expect(telemetry.metrics).toEqual([]);
    repair();
    await consume(sent(1));
    expect([...keyUses]).toEqual([['live 9a76d0a46113', at(1)]]);
  },
);

it('a consumer remembers ten keys, the most that a secret may have', async () => {
  const { inject, uses } = countUses();
  const { consume } = setUpConsumer({ inject });
  const key = (number: number) => sent(0, number, { keyId: `key ${number}` });
  for (let number = 1; number <= 10; number += 1) await consume(key(number));
  await consume(key(1));
  expect(uses()).toBe(10);
  await consume(key(11));
  await consume(key(1));
  expect(uses()).toBe(12);
});

it('the table keeps the latest use of a key, in whatever order its uses are stored', async () => {
  const { client, close } = await startTables();
  onTestFinished(close);
  const { putKeyUse } = createKeyUseTable(client, 'events');
  for (const minutes of [1, 3, 2]) await putKeyUse({ mode: 'live', keyId: 'abc', matchedAt: at(minutes) });
  const Key = { event_key: { S: 'live:keys' }, record: { S: 'key:abc' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: 'events', Key }));
  expect(Item).toEqual({ ...Key, key_id: { S: 'abc' }, last_matched_at: { S: at(3) } });
});
