import { describe, expect, it } from 'vitest';
import {
  createHeartbeatKey,
  createSigningKey,
  type SigningKey,
  sign,
  verify,
} from '../../../lambdas/domain/signature.ts';

// Computed with `openssl dgst -sha256 -hmac`, not with the code under test.
const body = Buffer.from('{"id":"evt-1","event_name":"transaction.paid"}');
const signature = '74ac31d9d480a39e7b3ef8d1d375c32e52f078cc2b0cddeb2ac7536f66197762';
const signatureOfNothing = 'f534ea447a7917be171c0cde79c394784b305962b63cda0a2a0f57f173d323d4';
const binary = Buffer.from('00fffe7b2261223a22efbfbf227d', 'hex');
const signatureOfBytes = '7f6dffc10b0d6dd5f4ed7059441288e90e5d5954fd059b5acd5368cda41796a3';

const live = createSigningKey('pri_test_key');
const other = createSigningKey('pri_other_key');
const sandbox = createSigningKey('pri_sandbox_test_key');
const check = (header: string, keys = [live], given: Uint8Array = body, now = 0) =>
  verify(keys, { header, body: given, now });

// API document 6, rules 1 and 2.
it('sign returns the lowercase hexadecimal HMAC-SHA256 of the raw bytes under the private key', () => {
  expect(sign(live, body)).toBe(signature);
  expect(sign(live, new Uint8Array(0))).toBe(signatureOfNothing);
  expect(sign(live, binary)).toBe(signatureOfBytes);
});

// API document 6, rules 3 and 4.
describe('verify', () => {
  it('accepts the signature of the bytes and returns the key', () => {
    expect(check(signature)).toEqual({ ok: true, key: live });
    expect(check(signatureOfBytes, [live], binary)).toEqual({ ok: true, key: live });
  });

  it('refuses every body that differs in one bit', () => {
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const flipped = Buffer.from(body);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(check(signature, [live], flipped)).toEqual({ ok: false, reason: 'mismatch' });
    }
  });

  it('refuses every signature that differs in one digit', () => {
    for (let at = 0; at < signature.length; at += 1) {
      const digit = signature[at] === '0' ? '1' : '0';
      const altered = signature.slice(0, at) + digit + signature.slice(at + 1);
      expect(check(altered)).toEqual({ ok: false, reason: 'mismatch' });
    }
  });

  it('reports an empty header as missing', () => {
    expect(check('')).toEqual({ ok: false, reason: 'missing' });
  });

  it.each([
    ['an upper-case signature', signature.toUpperCase()],
    ['a signature with one upper-case digit', signature.replace('a', 'A')],
    ['a signature without its first digit', signature.slice(1)],
    ['a signature with an additional digit', `${signature}0`],
    ['trailing text that a hex decoder skips', `${signature}zz`],
    ['two signatures joined by a comma', `${signature},${signature}`],
    ['a trailing newline', `${signature}\n`],
    ['a leading space', ` ${signature}`],
    ['a scheme prefix', `sha256=${signature}`],
    ['a signature in base64', Buffer.from(signature, 'hex').toString('base64')],
    ['digits of another script', '٠'.repeat(64)],
  ])('reports %s as malformed', (_, header) => {
    expect(check(header)).toEqual({ ok: false, reason: 'malformed' });
  });

  it('tries every key, in any order', () => {
    expect(check(signature, [live, other])).toEqual({ ok: true, key: live });
    expect(check(signature, [other, live])).toEqual({ ok: true, key: live });
    expect(check(signature, [other, sandbox])).toEqual({ ok: false, reason: 'mismatch' });
    expect(check(signature, [])).toEqual({ ok: false, reason: 'mismatch' });
  });

  it('tries every key, also after a match, after it expired, and for a forgery', () => {
    const tried: string[] = [];
    const watch = (name: string, key: SigningKey): SigningKey => ({
      ...key,
      get secret() {
        tried.push(name);
        return key.secret;
      },
    });
    const expired = createSigningKey('pri_expired_key', 0);
    const keys = [watch('live', live), watch('expired', expired), watch('other', other)];
    for (const header of [signature, sign(expired, body), 'a'.repeat(64)]) {
      tried.length = 0;
      check(header, keys, body, 1);
      expect(tried).toEqual(['live', 'expired', 'other']);
    }
  });

  it('refuses a key from the moment when it expires', () => {
    const expiring = createSigningKey('pri_test_key', 1_000);
    expect(check(signature, [expiring], body, 999)).toEqual({ ok: true, key: expiring });
    const refused = { ok: false, reason: 'key_expired', key: expiring };
    expect(check(signature, [expiring], body, 1_000)).toEqual(refused);
    expect(check(signature, [expiring, other], body, 1_000)).toEqual(refused);
  });

  it('accepts a key that is listed again without an end', () => {
    const expired = createSigningKey('pri_test_key', 1_000);
    expect(check(signature, [live, expired], body, 1_000)).toEqual({ ok: true, key: live });
    expect(check(signature, [expired, live], body, 1_000)).toEqual({ ok: true, key: live });
  });
});

// API document 5.1 and 5.2.
describe('createSigningKey', () => {
  it('takes the mode from the prefix of the key', () => {
    expect([live.mode, sandbox.mode]).toEqual(['live', 'sandbox']);
  });

  it('identifies a key by a short hash and does not contain its text', () => {
    expect(live.id).toBe('9a76d0a46113');
    expect(JSON.stringify(live)).not.toContain('pri_test_key');
  });

  it.each(['', 'pri_', 'test_key', 'sk_live_x', 'pri_with space', 'pri_line\nbreak', 'pri_ümlaut'])(
    'refuses %j without quoting it',
    (text) => {
      expect(() => createSigningKey(text)).toThrow(
        new TypeError('A private key has the form pri_<identifier>, printable ASCII without spaces.'),
      );
    },
  );
});

describe('createHeartbeatKey', () => {
  const text = '0f'.repeat(32);

  it('identifies a key of 64 lowercase hexadecimal digits by a short hash', () => {
    expect(createHeartbeatKey(text)).toMatchObject({ id: '8350f01b77f9', mode: 'heartbeat' });
  });
});
