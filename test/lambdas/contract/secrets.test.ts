import { describe, expect, it } from 'vitest';
import {
  parseClientCertificate,
  writeClientCertificate,
} from '../../../lambdas/contract/client-certificate.ts';
import {
  MalformedSecretError,
  parseKeySecret,
  signingKeysOf,
  writeKeySecret,
} from '../../../lambdas/contract/key-secret.ts';
import {
  MalformedTokenSecretError,
  parseTokenSecret,
  writeTokenSecret,
} from '../../../lambdas/contract/token-secret.ts';

describe('the secret of the private keys', () => {
  const summary = (text: string) =>
    signingKeysOf(parseKeySecret(text)).map(({ mode, acceptedUntil }) => ({ mode, acceptedUntil }));

  it('is read as it is written', () => {
    const entries = [{ key: 'pri_new' }, { key: 'pri_old', acceptedUntil: 1_796_083_200_000 }];
    expect(parseKeySecret(writeKeySecret(entries))).toEqual(entries);
  });

  it('lists keys with their expiry, and may have unknown fields', () => {
    const text = JSON.stringify({
      private_keys: [
        { key: 'pri_old', accepted_until: '2026-12-01T00:00:00Z' },
        { key: 'pri_sandbox_x', accepted_until: null, note: 'unknown' },
      ],
    });
    expect(summary(text)).toEqual([
      { mode: 'live', acceptedUntil: 1_796_083_200_000 },
      { mode: 'sandbox', acceptedUntil: undefined },
    ]);
  });
});

describe('the secret of the token', () => {
  const [client, unset] = [
    { client_id: 'shop', client_secret: 's', refresh_token: 'r' },
    { access_token: null, expires_at: null, replaces: null },
  ];

  it('needs only the client and a refresh token', () => {
    const tokens = parseTokenSecret(JSON.stringify({ ...client, ...unset, note: 'unknown' }));
    expect(tokens).toEqual({ clientId: 'shop', clientSecret: 's', refreshToken: 'r' });
    expect(writeTokenSecret(tokens)).toBe(JSON.stringify(client));
  });

  it('is read as it is written, with every field', () => {
    const fields = { access_token: 'a', expires_at: '2026-12-01T00:00:00.000Z', replaces: 'v1' };
    const text = JSON.stringify({ ...client, ...fields });
    const tokens = parseTokenSecret(text);
    expect(tokens).toMatchObject({ accessToken: 'a', expiresAt: 1_796_083_200_000, replaces: 'v1' });
    expect(writeTokenSecret(tokens)).toBe(text);
  });
});

const cert = '-----BEGIN CERTIFICATE-----\nMIIB\n';
const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n';

it('the secret of a client certificate is read as it is written', () => {
  const text = JSON.stringify({ certificate: cert, private_key: key });
  expect(writeClientCertificate({ cert, key })).toBe(text);
  expect(parseClientCertificate(text)).toEqual({ cert, key });
});

const secrets = {
  keys: { parse: parseKeySecret, error: MalformedSecretError },
  token: { parse: parseTokenSecret, error: MalformedTokenSecretError },
  certificate: { parse: parseClientCertificate, error: MalformedSecretError },
};
const listed = (...private_keys: unknown[]) => ({ private_keys });
const withFields = (fields: object) => ({
  ...{ client_id: 'shop', client_secret: 'hunter2-secret', refresh_token: 'hunter2-refresh', ...fields },
});
const until = (accepted_until: unknown) => ({ key: 'pri_hunter2', accepted_until });
const notATime = 'is not a time; expected ISO 8601 with a zone, such as 2026-12-01T00:00:00Z';
const form = '{"certificate":"-----BEGIN CERTIFICATE…","private_key":"-----BEGIN PRIVATE KEY…"}';

it.each<[keyof typeof secrets, given: unknown, reason: string]>([
  ['keys', '', 'The key secret is not JSON'],
  ['keys', 'pri_hunter2 words', 'The key secret is not JSON'],
  [
    'keys',
    null,
    'no list of private keys; expected a bare private key (pri_…) or {"private_keys":[{"key":"pri_…"',
  ],
  ['keys', { private_keys: 'pri_hunter2' }, 'has no list of private keys'],
  ['keys', listed(), 'lists 0 private keys; expected 1 to 10'],
  ['keys', listed(...Array(11).fill({ key: 'pri_x' })), 'lists 11 private keys; expected 1 to 10'],
  ['keys', listed({ key: 'pri_x' }, { key: 'hunter2' }), 'private_keys[1].key is not a private key'],
  ['keys', listed({}), 'private_keys[0].key is not a private key'],
  ['keys', listed('pri_hunter2'), 'private_keys[0] is not an entry'],
  ['keys', listed(until('hunter2')), `is malformed: private_keys[0].accepted_until ${notATime}`],
  ['keys', listed(until(7)), notATime],
  ['keys', listed(until('2026-13-01T00:00:00Z')), notATime],
  ['token', 'hunter2', 'is not JSON'],
  ['token', null, 'is not an object; expected {"client_id":"…","client_secret":"…","refresh_token":"…"}'],
  ['token', withFields({ client_id: null }), 'client_id is missing'],
  ['token', withFields({ client_secret: null }), 'client_secret is missing'],
  ['token', withFields({ refresh_token: '' }), 'refresh_token is empty'],
  ['token', withFields({ refresh_token: 22 }), 'refresh_token is missing or not text'],
  ['token', withFields({ access_token: 'hunter2 two' }), 'access_token has characters'],
  ['token', withFields({ refresh_token: 'pri_hunter2' }), 'refresh_token is a private key'],
  ['token', withFields({ access_token: 'hunter2\n' }), 'access_token has characters'],
  ['token', withFields({ expires_at: 1_796_083_200 }), 'expires_at is not a time'],
  ['certificate', 'hunter2', 'The secret with the client certificate is not JSON'],
  ['certificate', ['hunter2'], `is malformed: certificate is not an object; expected ${form}.`],
  ['certificate', { certificate: 7, private_key: key }, 'is malformed: certificate is not text in PEM'],
  ['certificate', { certificate: cert, private_key: ` ${key}` }, 'private_key is not text in PEM'],
])('the secret of the %s %j is refused with the reason, and quotes no value', (secret, given, reason) => {
  const { parse, error } = secrets[secret];
  const read = () => parse(typeof given === 'string' ? given : JSON.stringify(given));
  expect(read).toThrow(error);
  expect(read).toThrow(reason);
  expect(read).toThrow(/^((?!hunter2|pri_x).)*$/s);
});
