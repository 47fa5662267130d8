import { expect, it } from 'vitest';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';

const at = (minutes: number, seconds = 0): string =>
  new Date(Date.UTC(2026, 10, 21, 10, minutes, seconds)).toISOString();
const used = (
  minutes: number,
  seconds = 0,
  more: { keyId?: string; mode?: 'sandbox' | 'heartbeat' } = {},
) => {
  const sandbox = more.mode !== undefined;
  return { ...sent({ id: crypto.randomUUID(), sandbox }), receivedAt: at(minutes, seconds), ...more };
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

it.each<[string, ReturnType<typeof used>[][], [string, string][]]>([
  [
    'once in five minutes, whatever the size of a batch',
    [[used(0), used(0, 1), used(0, 2)], [used(4, 59)], [used(5)]],
    [
      [key, at(0)],
      [key, at(5)],
    ],
  ],
  [
    'for each key and mode, and not for the key of heartbeats',
    [
      [
        used(0),
        used(1, 0, { keyId: 'b' }),
        used(2, 0, { mode: 'sandbox' }),
        used(3, 0, { mode: 'heartbeat' }),
      ],
    ],
    [
      [key, at(0)],
      ['live b', at(1)],
      ['sandbox 9a76d0a46113', at(2)],
    ],
  ],
  ['not for an old message that is redriven', [[used(30)], [used(0), used(10)]], [[key, at(30)]]],
])('a consumer stores the last use of a key %s', async (_, batches, expected) => {
  const { consume, uses } = setUp();
  for (const batch of batches) await consume(...batch);
  expect(uses).toEqual(expected);
});

it.each([
  ['an error', new Error('throttled'), { error_name: 'Error', error_message: 'throttled' }],
  ['a thrown text', 'throttled', { error_name: undefined, error_message: undefined }],
])(
  'an event is handled although the use of its key ends in %s, and the next one stores it',
  async (...row) => {
    const [, thrown, logged] = row;
    const { consume, uses, state, telemetry } = setUp(thrown);
    expect(await consume(used(0))).toEqual([]);
    const message = 'the last use of a private key is not stored';
    const fields = { mode: 'live', key_id: '9a76d0a46113', ...logged };
    expect(telemetry.lines[0]).toEqual({ level: 'warn', message, fields });
    expect(telemetry.metrics).toEqual([]);
    state.fault = undefined;
    await consume(used(1));
    expect(uses).toEqual([[key, at(1)]]);
  },
);

it('a consumer remembers ten keys, the most that a secret may have', async () => {
  const { consume, uses } = setUp();
  const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 11, 1];
  for (const number of keys) await consume(used(0, number, { keyId: `key ${number}` }));
  expect(uses.map(([name]) => Number(name.slice(9)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]);
});
