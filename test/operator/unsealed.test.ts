import { EventNotFoundError } from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { judge } from '../../operator/acts/judge.ts';
import { describeUnsealed, type UnsealedParts } from '../../operator/acts/unsealed.ts';
import { sha256 } from '../doubles/event-rows.ts';

const body = Buffer.from('{"id":"evt-1"}');
const hash = sha256(body);
const live = createSigningKey('pri_live_key');
const notFound = new EventNotFoundError({ status: 404, title: 'Not found', detail: 'No event.' } as never);

interface Given {
  readonly signature?: string;
  readonly body_base64?: string | null;
  readonly keys?: () => Promise<Awaited<ReturnType<UnsealedParts['readKeys']>>>;
  /** The hashes of what is stored under the id of its event. */
  readonly others?: readonly string[];
}

/** What is stored of a message without a seal and of its event, and the keys of the stack. */
function partsOf({ keys = async () => [{ key: 'pri_live_key' }], others, ...more }: Given) {
  const stored = { signature: sign(live, body), body_base64: body.toString('base64'), ...more };
  return {
    operations: {
      unrecognisedBody: async () => ({
        records: [{ record: 'unrecognised' }, { record: 'unsealed', ...stored }],
      }),
      async event() {
        if (others === undefined) throw notFound;
        return { records: others.map((body_sha256) => ({ body_sha256 })) };
      },
    },
    readKeys: keys,
  } as unknown as UnsealedParts;
}

const matches = `Its signature matches the live key ${live.id}`;
const matchesNone = 'Its signature matches no key of the stack: it is forged, or its key is gone.';
const recorded = `${matches}. Its event evt-1 is recorded already, with`;
const unchecked = 'Its signature could not be checked:';
const expired = async () => [{ key: 'pri_live_key', acceptedUntil: 0 }];

it.each<[string, Given, string]>([
  ['that it matches a key', {}, `${matches}.`],
  ['that it matches an expired key', { keys: expired }, `${matches}, which has expired.`],
  ['that it matches no key', { signature: '5e'.repeat(32) }, matchesNone],
  ['that it matches no key, when there is none', { keys: async () => [] }, matchesNone],
  ['that its event is recorded', { others: [hash] }, `${recorded} these bytes.`],
  ['that its event is another', { others: ['b'] }, `${recorded} another body.`],
  ['that its body is gone', { body_base64: null }, `${unchecked} its body is gone.`],
  [
    'why the keys were not read',
    { keys: () => Promise.reject(new Error('no access')) },
    `${unchecked} Error: no access`,
  ],
])('an operator reads of a message without a seal %s', async (_, given, sentence) => {
  expect(await describeUnsealed(partsOf(given), { body_sha256: hash, mode: 'live' })).toBe(sentence);
});

it('an operator reads that a message without a seal claims another mode than its key has', async () => {
  const claim = `${matches}. But it claims to be sandbox, and would count as that.`;
  expect(await describeUnsealed(partsOf({}), { body_sha256: hash, mode: 'sandbox' })).toBe(claim);
});

it('the preview of a judgement shows the signature of a message without a seal', async () => {
  const { operations, readKeys } = partsOf({});
  const event = { event_id: null, body_sha256: hash, before: { waiting: 'unsealed' } };
  const request = { act: 'admit', mode: 'live', body_sha256: hash };
  const judgement = judge(operations as never, request as never, { readKeys, wait: async () => {} });
  expect(await judgement.consequence({ events: [event], orders: [] } as never)).toContain(`${matches}.`);
});
