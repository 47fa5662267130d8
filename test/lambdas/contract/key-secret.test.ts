import { describe, expect, it } from 'vitest';
import {
  MalformedSecretError,
  parseKeySecret,
  signingKeysOf,
  writeKeySecret,
} from '../../../lambdas/contract/key-secret.ts';

const summary = (text: string) =>
  signingKeysOf(parseKeySecret(text)).map(({ mode, acceptedUntil }) => ({ mode, acceptedUntil }));

describe('parseKeySecret', () => {
  it('reads the keys that writeKeySecret has written', () => {
    const entries = [{ key: 'pri_new' }, { key: 'pri_old', acceptedUntil: 1_796_083_200_000 }];
    expect(parseKeySecret(writeKeySecret(entries))).toEqual(entries);
  });

  it.each(['pri_live', '  pri_live\n'])('reads the bare private key %j', (text) => {
    expect(summary(text)).toEqual([{ mode: 'live', acceptedUntil: undefined }]);
  });

  it('reads a list of keys with their expiry, and ignores unknown fields', () => {
    const text = JSON.stringify({
      private_keys: [
        { key: 'pri_new' },
        { key: 'pri_old', accepted_until: '2026-12-01T00:00:00Z' },
        { key: 'pri_sandbox_x', accepted_until: null, note: 'unknown' },
      ],
    });
    expect(summary(text)).toEqual([
      { mode: 'live', acceptedUntil: undefined },
      { mode: 'live', acceptedUntil: 1_796_083_200_000 },
      { mode: 'sandbox', acceptedUntil: undefined },
    ]);
  });

  const eleven = JSON.stringify({ private_keys: Array(11).fill({ key: 'pri_x' }) });
  it.each([
    ['', 'The key secret is not JSON'],
    ['pri_two words', 'The key secret is not JSON'],
    [
      'null',
      'has no list of private keys; expected a bare private key (pri_…) or {"private_keys":[{"key":"pri_…"',
    ],
    ['"pri_quoted"', 'has no list of private keys'],
    ['{"private_key":"pri_x"}', 'has no list of private keys'],
    ['{"private_keys":"pri_x"}', 'has no list of private keys'],
    ['{"private_keys":[]}', 'lists 0 private keys; expected 1 to 10'],
    [eleven, 'lists 11 private keys; expected 1 to 10'],
    ['{"private_keys":[{"key":"hunter2"}]}', 'private_keys[0].key is not a private key'],
    ['{"private_keys":[{"key":"pri_x"},{}]}', 'private_keys[1].key is not a private key'],
    ['{"private_keys":["pri_x"]}', 'private_keys[0] is not an entry'],
    ['{"private_keys":[null]}', 'private_keys[0] is not an entry'],
    ['{"private_keys":[{"key":"pri_x","accepted_until":"soon"}]}', 'accepted_until is not a time'],
  ])('refuses %s with the reason and quotes no value', (text, reason) => {
    expect(() => parseKeySecret(text)).toThrow(MalformedSecretError);
    expect(() => parseKeySecret(text)).toThrow(reason);
    expect(() => parseKeySecret(text)).toThrow(/^((?!hunter2|pri_x|soon|pri_two|pri_quoted).)*$/s);
  });
});
