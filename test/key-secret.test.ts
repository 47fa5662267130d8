import { describe, expect, it } from 'vitest';
import {
  MalformedSecretError,
  parseKeySecret,
  signingKeysOf,
  writeKeySecret,
} from '../lambdas/contract/key-secret.ts';

const summary = (text: string) =>
  signingKeysOf(parseKeySecret(text)).map(({ mode, acceptedUntil }) => ({ mode, acceptedUntil }));

describe('writeKeySecret', () => {
  it('writes what is read again as the same keys', () => {
    const entries = [{ key: 'pri_new' }, { key: 'pri_old', acceptedUntil: 1_796_083_200_000 }];
    expect(writeKeySecret(entries)).toBe(
      '{"private_keys":[{"key":"pri_new"},{"key":"pri_old","accepted_until":"2026-12-01T00:00:00.000Z"}]}',
    );
    expect(parseKeySecret(writeKeySecret(entries))).toEqual(entries);
  });
});

describe('parseKeySecret', () => {
  it.each(['pri_live', '  pri_live\n'])('takes the bare private key %j', (text) => {
    expect(summary(text)).toEqual([{ mode: 'live', acceptedUntil: undefined }]);
  });

  it('takes a list with the last moment of a key that is being rotated out', () => {
    const text = JSON.stringify({
      private_keys: [
        { key: 'pri_new' },
        { key: 'pri_old', accepted_until: '2026-12-01T00:00:00Z' },
        { key: 'pri_sandbox_x', accepted_until: null, note: 'unknown fields are none of our business' },
      ],
    });
    expect(summary(text)).toEqual([
      { mode: 'live', acceptedUntil: undefined },
      { mode: 'live', acceptedUntil: 1_796_083_200_000 },
      { mode: 'sandbox', acceptedUntil: undefined },
    ]);
  });

  it.each([
    ['', 'The key secret is not JSON'],
    ['secret-value', 'The key secret is not JSON'],
    ['pri_two words', 'The key secret is not JSON'],
    ['null', 'has no list of private keys'],
    ['"pri_quoted"', 'has no list of private keys'],
    ['{"private_key":"pri_x"}', 'has no list of private keys'],
    ['{"private_keys":"pri_x"}', 'has no list of private keys'],
    ['{"private_keys":[]}', 'lists 0 private keys; expected 1 to 10'],
    [JSON.stringify({ private_keys: Array(11).fill({ key: 'pri_x' }) }), 'lists 11 private keys'],
    ['{"private_keys":[{"key":"pri_x"},{"key":"sk_y"}]}', 'private_keys[1].key is not a private key'],
    ['{"private_keys":["pri_x"]}', 'private_keys[0] is not an entry'],
    ['{"private_keys":[null]}', 'private_keys[0] is not an entry'],
    [
      '{"private_keys":[{"key":"pri_x","accepted_until":"soon"}]}',
      'private_keys[0].accepted_until is not a time',
    ],
    ['{"private_keys":[{"key":"pri_x","accepted_until":"2026-12-01"}]}', 'accepted_until is not a time'],
    ['{"private_keys":[{"key":"pri_x","accepted_until":1796083200}]}', 'accepted_until is not a time'],
  ])('refuses %j and says what is wrong', (text, reason) => {
    expect(() => parseKeySecret(text)).toThrow(MalformedSecretError);
    expect(() => parseKeySecret(text)).toThrow(reason);
  });

  it.each(['hunter2-secret', '{"private_keys":[{"key":"hunter2-secret"}]}', '{"hunter2-secret":'])(
    'never quotes the value %j',
    (text) => {
      expect(() => parseKeySecret(text)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
      );
    },
  );
});
