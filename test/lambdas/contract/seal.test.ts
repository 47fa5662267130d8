import { describe, expect, it } from 'vitest';
import { MalformedSecretError } from '../../../lambdas/contract/key-secret.ts';
import type { QueueMessage } from '../../../lambdas/contract/queue-message.ts';
import {
  isSealed,
  parseSealSecret,
  rotatedSealSecret,
  type SealKey,
  seal,
  sealingKey,
} from '../../../lambdas/contract/seal.ts';
import { sealSecret } from '../../doubles/seal.ts';

const message: QueueMessage = {
  ...{ body: Buffer.from('{"id":"evt-1"}'), mode: 'live', keyId: '9a76d0a46113', signature: '5e'.repeat(32) },
  ...{ receivedAt: '2026-11-21T10:00:00.000Z', requestId: 'request-1' },
};
const keyOf = (text: string): SealKey => sealingKey(parseSealSecret(text)) as SealKey;
const given = seal(keyOf(sealSecret), message);

describe('a seal', () => {
  it('is the HMAC-SHA256 of attributes and bytes under the second key of the secret', () => {
    // printf 'payhooks seal\n["live","9a76d0a46113","5e…","2026-11-21T10:00:00.000Z","request-1"]\n{"id":"evt-1"}' |
    //   openssl dgst -sha256 -mac HMAC -macopt hexkey:b2…b2
    expect(given).toBe('3337725838090e87350c5debc53373a749aa2a5c1b8d347247b41f4c2283007b');
  });

  const changes: readonly Partial<QueueMessage>[] = [
    { body: Buffer.from('{"id":"evt-2"}') },
    { mode: 'sandbox' },
    { keyId: '000000000000' },
    { signature: '5f'.repeat(32) },
    { receivedAt: '2026-11-21T10:00:00.001Z' },
    { requestId: 'request-2' },
    // The end of one field as the beginning of the next.
    { keyId: '9a76d0a46113","5e', signature: '5e'.repeat(31) },
    { requestId: 'request-1"]\n{"id":"evt-1"}', body: Buffer.from('') },
  ];
  it.each(changes)('is not that of a message with %j', (change) => {
    const keys = parseSealSecret(sealSecret);
    expect(isSealed(keys, message, given)).toBe(true);
    expect(isSealed(keys, { ...message, ...change }, given)).toBe(false);
  });

  it.each(['', 'ab', given.toUpperCase(), `${given}0`, given.slice(1), `${given.slice(1)}0`])(
    'is refused in another form, or as another value: %j',
    (text) => {
      expect(isSealed(parseSealSecret(sealSecret), message, text)).toBe(false);
    },
  );

  it('holds through two rotations, opens before its key is used, and ends with the third', () => {
    const once = rotatedSealSecret(sealSecret, 'd4'.repeat(32));
    const twice = rotatedSealSecret(once, 'e5'.repeat(32));
    const isOpened = (text: string) => isSealed(parseSealSecret(text), message, given);
    expect([once, twice].map(isOpened)).toEqual([true, false]);
    // A consumer that has not read the new secret knows its sealing key.
    const next = seal(keyOf(once), message);
    expect(isSealed(parseSealSecret(sealSecret), message, next)).toBe(true);
    expect(next).not.toBe(given);
  });
});

it.each(['', 'a1', 'A1'.repeat(96), `${'a1'.repeat(96)}0`])(
  'a seal secret that is not three keys is refused, and not quoted: %j',
  (text) => {
    const message = 'The seal secret is not 192 lowercase hexadecimal digits.';
    expect(() => parseSealSecret(text)).toThrow(new MalformedSecretError(message));
  },
);
