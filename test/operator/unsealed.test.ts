import { EventNotFoundError } from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { judge } from '../../operator/acts/judge.ts';
import { describeUnsealed, type UnsealedParts } from '../../operator/acts/unsealed.ts';
import { sha256 } from '../doubles/event-rows.ts';

const body = Buffer.from('{"id":"evt-1"}');
const hash = sha256(body);
const live = createSigningKey('pri_live_key');
const signature = sign(live, body);
const notFound = new EventNotFoundError({ status: 404, title: 'Not found', detail: 'No event.' } as never);

/** What is stored of the message and of its event, and the keys of the stack. */
const partsOf = (
  more: object = {},
  keys: UnsealedParts['readKeys'] = async () => [{ key: 'pri_live_key' }],
) => {
  const record = { record: 'unsealed', signature, body_base64: body.toString('base64'), ...more };
  const others: string[] | undefined = (more as { others?: string[] }).others;
  return {
    operations: {
      unrecognisedBody: async () => ({ records: [{ record: 'unrecognised' }, record] }),
      async event() {
        if (others === undefined) throw notFound;
        return { records: others.map((body_sha256) => ({ body_sha256 })) };
      },
    },
    readKeys: keys,
  } as unknown as UnsealedParts;
};
const described = (parts: UnsealedParts, mode: 'live' | 'sandbox' = 'live') =>
  describeUnsealed(parts, { body_sha256: hash, mode });

const matches = `Its signature matches the live key ${live.id}`;
const matchesNone = 'Its signature matches no key of the stack: it is forged, or its key is gone.';
it.each([
  ['a key of the stack', partsOf(), `${matches}.`],
  [
    'an expired key',
    partsOf({}, async () => [{ key: 'pri_live_key', acceptedUntil: 0 }]),
    `${matches}, which has expired.`,
  ],
  ['no key', partsOf({ signature: '5e'.repeat(32) }), matchesNone],
  ['no key, when the secret is empty', partsOf({}, async () => []), matchesNone],
  [
    'a key, and the event is recorded',
    partsOf({ others: [hash] }),
    `${matches}. Its event evt-1 is recorded already, with these bytes.`,
  ],
  [
    'a key, and its event is another',
    partsOf({ others: ['b'] }),
    `${matches}. Its event evt-1 is recorded already, with another body.`,
  ],
] as const)(
  'an operator reads of a message without a seal that it matches %s',
  async (_, parts, sentence) => {
    expect(await described(parts)).toBe(sentence);
  },
);

it('an operator reads that a message without a seal claims another mode than its key has', async () => {
  const claim = `${matches}. But it claims to be sandbox, and would count as that.`;
  expect(await described(partsOf(), 'sandbox')).toBe(claim);
});

it('an operator reads why the signature of a message without a seal could not be checked', async () => {
  const refused = partsOf({}, async () => {
    throw new Error('no access');
  });
  expect(await described(refused)).toBe('Its signature could not be checked: Error: no access');
  expect(await described(partsOf({ body_base64: null }))).toBe(
    'Its signature could not be checked: its body is gone.',
  );
});

it.each(['admit', 'dismiss'] as const)(
  'the preview shows the signature of a message without a seal: %s',
  async (act) => {
    const { operations, readKeys } = partsOf();
    const event = {
      event_id: null,
      body_sha256: hash,
      before: { waiting: 'unsealed' },
      after: { waiting: null },
    };
    const judgement = judge(operations as never, { act, mode: 'live', body_sha256: hash } as never, {
      readKeys,
      wait: async () => {},
    });
    expect(await judgement.consequence({ events: [event], orders: [] } as never)).toContain(`${matches}.`);
  },
);
