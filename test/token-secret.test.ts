import { describe, expect, it } from 'vitest';
import {
  MalformedTokenSecretError,
  parseTokenSecret,
  writeTokenSecret,
} from '../lambdas/contract/token-secret.ts';

const least = { client_id: 'shop', client_secret: 'hunter2-secret', refresh_token: 'hunter2-refresh' };
const withFields = (fields: object): string => JSON.stringify({ ...least, ...fields });

describe('the token secret', () => {
  it('needs the client and a refresh token, and nothing else', () => {
    expect(parseTokenSecret(withFields({ access_token: null, note: 'by hand' }))).toEqual({
      clientId: 'shop',
      clientSecret: 'hunter2-secret',
      refreshToken: 'hunter2-refresh',
    });
  });

  it('is written as it is read', () => {
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
    ['["hunter2"]', 'is not an object'],
    ['null', 'is not an object'],
    [withFields({ client_id: undefined }), 'has no client_id'],
    [withFields({ client_secret: null }), 'has no client_secret'],
    [withFields({ refresh_token: '' }), 'refresh_token of the token secret is empty'],
    [withFields({ refresh_token: 22 }), 'refresh_token of the token secret is a number'],
    [withFields({ refresh_token: 'hunter2 two' }), 'refresh_token of the token secret has characters'],
    [withFields({ refresh_token: 'pri_hunter2' }), 'refresh_token of the token secret is a private key'],
    [withFields({ access_token: 'hunter2\n' }), 'access_token of the token secret has characters'],
    [withFields({ expires_at: 1_796_083_200 }), 'expires_at of the token secret is not a moment'],
  ])('refuses %s, says what is wrong and quotes no value', (text, reason) => {
    expect(() => parseTokenSecret(text)).toThrow(MalformedTokenSecretError);
    expect(() => parseTokenSecret(text)).toThrow(reason);
    expect(() => parseTokenSecret(text)).toThrow(/^((?!hunter2).)*$/s);
  });
});
