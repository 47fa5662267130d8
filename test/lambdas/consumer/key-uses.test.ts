import { expect, it } from 'vitest';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { eventBody } from '../../doubles/event-body.ts';

const at = (minutes: number, seconds = 0): string =>
  new Date(Date.UTC(2026, 10, 21, 10, minutes, seconds)).toISOString();
let n = 0;
const sent = (minutes: number, seconds = 0, more: { keyId?: string; mode?: 'sandbox' } = {}) => {
  n += 1;
  return { body: eventBody({ id: `e${n}`, order: 'A' }), receivedAt: at(minutes, seconds), ...more };
};

/** A consumer, and the uses that it has stored. `fault` is thrown until a test deletes it. */
function setUp(fault?: unknown) {
  const uses: (readonly [string, string])[] = [];
  const state = { fault };
  const keyUses = {
    async putKeyUse({ mode, keyId, matchedAt }: { mode: string; keyId: string; matchedAt: string }) {
      if (state.fault !== undefined) throw state.fault;
      uses.push([`${mode} ${keyId}`, matchedAt]);
    },
  };
  return { ...setUpConsumer({ parts: { keyUses } }), uses, state };
}
const key = 'live 9a76d0a46113';

it('a consumer stores the last use of a key once in five minutes, whatever the size of a batch', async () => {
  const { consume, uses } = setUp();
  await consume(sent(0), sent(0, 1), sent(0, 2));
  await consume(sent(4, 59));
  expect(uses).toEqual([[key, at(0)]]);
  await consume(sent(5));
  expect(uses).toEqual([
    [key, at(0)],
    [key, at(5)],
  ]);
});

it('a consumer stores the uses of several keys and modes separately', async () => {
  const { consume, uses } = setUp();
  await consume(sent(0), sent(1, 0, { keyId: 'bbbbbbbbbbbb' }), sent(2, 0, { mode: 'sandbox' }));
  expect(uses.toSorted()).toEqual([
    [key, at(0)],
    ['live bbbbbbbbbbbb', at(1)],
    ['sandbox 9a76d0a46113', at(2)],
  ]);
});

it('a consumer stores no use of the key of heartbeats', async () => {
  const { consume, uses } = setUp();
  await consume({ body: eventBody({ id: 'hb', order: 'A', sandbox: true }), mode: 'heartbeat' });
  expect(uses).toEqual([]);
});

it('an old message that is redriven does not hide a newer use of its key', async () => {
  const { consume, uses } = setUp();
  await consume(sent(30));
  await consume(sent(0), sent(10));
  expect(uses).toEqual([[key, at(30)]]);
});

it.each([
  ['an error', new Error('throttled'), { error_name: 'Error', error_message: 'throttled' }],
  ['a thrown text', 'throttled', { error_name: undefined, error_message: undefined }],
])(
  'an event is applied although the use of its key ends in %s, and the next one stores it',
  async (...given) => {
    const [, thrown, logged] = given;
    const { consume, uses, state, order, telemetry } = setUp(thrown);
    expect(await consume(sent(0))).toEqual([]);
    expect(order('A')?.status).toBe('paid');
    expect(telemetry.lines.filter(({ level }) => level !== 'info')).toEqual([
      {
        level: 'warn',
        message: 'the last use of a private key is not stored',
        fields: { mode: 'live', key_id: '9a76d0a46113', ...logged },
      },
    ]);
    expect(telemetry.metrics).toEqual([]);
    state.fault = undefined;
    await consume(sent(1));
    expect(uses).toEqual([[key, at(1)]]);
  },
);

it('a consumer remembers ten keys, the most that a secret may have', async () => {
  const { consume, uses } = setUp();
  const useOf = (number: number) => sent(0, number, { keyId: `key ${number}` });
  for (let number = 1; number <= 10; number += 1) await consume(useOf(number));
  await consume(useOf(1));
  expect(uses).toHaveLength(10);
  await consume(useOf(11));
  await consume(useOf(1));
  expect(uses).toHaveLength(12);
});
