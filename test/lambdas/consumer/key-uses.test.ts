import { expect, it } from 'vitest';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';

const at = (minutes: number, seconds = 0): string =>
  new Date(Date.UTC(2026, 10, 21, 10, minutes, seconds)).toISOString();
const used = (
  minutes: number,
  more: { keyId?: string; mode?: 'sandbox' | 'heartbeat'; seconds?: number } = {},
) => {
  const { seconds, ...key } = more;
  const message = sent({ id: crypto.randomUUID(), sandbox: key.mode !== undefined });
  return { ...message, receivedAt: at(minutes, seconds), ...key };
};

/** A consumer, and the uses that it has stored. `fault` is thrown until a test deletes it. */
function setUp(fault?: Error) {
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

it('a consumer stores the last use of a key once in five minutes, by the times of receipt', async () => {
  const { consume, uses } = setUp();
  await consume(used(0), used(0, { seconds: 1 }), used(0, { seconds: 2 }));
  await consume(used(4, { seconds: 59 }));
  await consume(used(5));
  // Redriven.
  await consume(used(0), used(1));
  expect(uses).toEqual([
    [key, at(0)],
    [key, at(5)],
  ]);
});

it('a consumer stores the last use of each key and mode, and not that of the key of heartbeats', async () => {
  const { consume, uses } = setUp();
  await consume(
    used(0),
    used(1, { keyId: 'b' }),
    used(2, { mode: 'sandbox' }),
    used(3, { mode: 'heartbeat' }),
  );
  expect(uses).toEqual([
    [key, at(0)],
    ['live b', at(1)],
    ['sandbox 9a76d0a46113', at(2)],
  ]);
});

it('an event is handled although the use of its key is not stored, and the next one stores it', async () => {
  const { consume, uses, state, telemetry } = setUp(new Error('throttled'));
  expect(await consume(used(0))).toEqual([]);
  const error = { error_name: 'Error', error_message: 'throttled' };
  const fields = { mode: 'live', key_id: '9a76d0a46113', ...error };
  const message = 'the last use of a private key is not stored';
  expect(telemetry.lines[0]).toEqual({ level: 'warn', message, fields });
  // It names no order, so it waits, and its handling counts nothing else.
  expect(telemetry.metrics).toEqual(['EventsBeganToWait']);
  state.fault = undefined;
  await consume(used(1));
  expect(uses).toEqual([[key, at(1)]]);
});
