import assert from 'node:assert/strict';
import {
  MalformedSecretError,
  parseKeySecret,
  signingKeysOf,
  writeKeySecret,
} from '../../../lambdas/contract/key-secret.ts';
import type { Target } from '../target.ts';

const list = (...entries: readonly object[]): string => JSON.stringify({ private_keys: entries });
const form = '{"private_keys":[{"key":"pri_…","accepted_until":"2026-12-01T00:00:00Z"}]}';
const aTime = 'a time; expected ISO 8601 with a zone, such as 2026-12-01T00:00:00Z';
const malformed = 'The key secret is malformed: private_keys';

/** The key secret, which an operator may write by hand. */
export const keySecretTarget: Target = {
  name: 'key-secret',
  async run(input) {
    try {
      const entries = parseKeySecret(Buffer.from(input).toString('utf8'));
      assert(entries.length >= 1 && entries.length <= 10, 'the number of keys');
      assert.equal(signingKeysOf(entries).length, entries.length);
      assert.deepEqual(parseKeySecret(writeKeySecret(entries)), entries);
      return 'keys';
    } catch (error) {
      if (!(error instanceof MalformedSecretError)) throw error;
      // A message that quoted a part of the secret would be none of the documented ones.
      return error.message.replace(/\[\d\]/, '[n]').replace(/lists (0|[1-9]\d+) /, 'lists n ');
    }
  },
  outcomes: {
    keys: 'a bare private key, or JSON with 1 to 10 of them; unknown fields are ignored',
    'The key secret is not JSON.': 'a text that is neither a private key nor JSON',
    [`The key secret has no list of private keys; expected a bare private key (pri_…) or ${form}.`]:
      'JSON of another type',
    [`${malformed} has no list of private keys; expected a bare private key (pri_…) or ${form}.`]:
      '`private_keys` is no list',
    [`${malformed} lists n private keys; expected 1 to 10.`]: 'an empty list, or more than 10 keys',
    [`${malformed}[n] is not an entry; expected one such as ${form}.`]: 'an entry that is no object',
    [`${malformed}[n].key is not a private key; expected pri_<identifier>.`]:
      'a key with other characters than printable ASCII, longer than 500, or without its prefix',
    [`${malformed}[n].accepted_until is not ${aTime}.`]:
      '`accepted_until` without a zone, or a day that is none',
  },
  seeds: [
    'pri_live_key',
    '\n pri_sandbox_key \n',
    list({ key: 'pri_a' }, { key: 'pri_sandbox_b', accepted_until: '2026-12-01T00:00:00Z' }),
    list({ key: 'pri_a', accepted_until: null }),
    list(),
    list(...Array(11).fill({ key: 'pri_a' })),
    '{"private_keys":{}}',
    '{"private_keys":[7]}',
  ],
  words: [
    'pri_',
    'private_keys',
    'accepted_until',
    '2026-02-30T00:00:00Z',
    '+14:00',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
  ],
};
