import { describe, expect, it } from 'vitest';
import {
  MalformedTokenSecretError,
  parseTokenSecret,
  writeTokenSecret,
} from '../../../lambdas/contract/token-secret.ts';

const minimal = { client_id: 'shop', client_secret: 'hunter2-secret', refresh_token: 'hunter2-refresh' };
const withFields = (fields: object): string => JSON.stringify({ ...minimal, ...fields });

describe('parseTokenSecret', () => {
  it('needs only the client and a refresh token', () => {
    const unset = { access_token: null, expires_at: null, replaces: null };
    const tokens = parseTokenSecret(withFields({ ...unset, note: 'unknown' }));
    expect(tokens).toEqual({
      clientId: 'shop',
      clientSecret: 'hunter2-secret',
      refreshToken: 'hunter2-refresh',
    });
    expect(writeTokenSecret(tokens)).toBe(withFields({}));
  });

  it('reads every field that writeTokenSecret writes', () => {
    const text =
      '{"client_id":"shop","client_secret":"s","refresh_token":"r","access_token":"a",' +
      '"expires_at":"2026-12-01T00:00:00.000Z","replaces":"v1"}';
    const tokens = parseTokenSecret(text);
    expect(tokens).toEqual({
      clientId: 'shop',
      clientSecret: 's',
      refreshToken: 'r',
      accessToken: 'a',
      expiresAt: 1_796_083_200_000,
      replaces: 'v1',
    });
    expect(writeTokenSecret(tokens)).toBe(text);
  });

  it.each([
    ['hunter2', 'is not JSON'],
    ['null', 'is not an object; expected {"client_id":"…","client_secret":"…","refresh_token":"…"}'],
    [{ client_id: null }, 'client_id is missing'],
    [{ client_secret: null }, 'client_secret is missing'],
    [{ refresh_token: '' }, 'refresh_token is empty'],
    [{ refresh_token: 22 }, 'refresh_token is missing or not text'],
    [{ refresh_token: 'hunter2 two' }, 'refresh_token has characters'],
    [{ refresh_token: 'pri_hunter2' }, 'refresh_token is a private key'],
    [{ access_token: 'hunter2\n' }, 'access_token has characters'],
    [{ expires_at: 1_796_083_200 }, 'expires_at is not a time'],
  ])('refuses %j with the reason and quotes no value', (given, reason) => {
    const text = typeof given === 'string' ? given : withFields(given);
    expect(() => parseTokenSecret(text)).toThrow(MalformedTokenSecretError);
    expect(() => parseTokenSecret(text)).toThrow(reason);
    expect(() => parseTokenSecret(text)).toThrow(/^((?!hunter2).)*$/s);
  });
});
