import { describe, expect, it } from 'vitest';
import type { CurrentTokens } from '../../../lambdas/ports/token-rotation.ts';
import { rotatedTokenAuthentication } from '../../../lambdas/webhook-audit/credential.ts';

const first: CurrentTokens = { versionId: 'v1', accessToken: 'access-1', expiresAt: 1_000_000 };
const second: CurrentTokens = { versionId: 'v2', accessToken: 'access-2', expiresAt: 5_000_000 };
const third: CurrentTokens = { versionId: 'v3', accessToken: 'access-3', expiresAt: 5_000_000 };

/** A reader of these versions of the secret, one after another; a pause moves its clock. */
function setUp(now: number, ...versions: (CurrentTokens | undefined)[]) {
  const log: string[] = [];
  const state = { now };
  const remaining = [...versions];
  const authentication = rotatedTokenAuthentication({
    readTokens: async () => {
      const tokens = remaining.length > 1 ? remaining.shift() : remaining[0];
      log.push(`read ${tokens?.versionId}`);
      return tokens;
    },
    rotate: async () => void log.push('rotate'),
    pause: async (milliseconds) => {
      state.now += milliseconds;
    },
    now: () => state.now,
  });
  const renew = async (refused: string): Promise<string> => (await authentication.renew?.(refused)) ?? '';
  return { authorization: authentication.authorization, renew, log, state };
}

const rotated = ['rotate', 'read v2'];

describe('a reader of the token', () => {
  const expiring = { ...second, expiresAt: 2_030_000 };
  const expired = { ...second, expiresAt: 1_500_000 };
  it.each<[string, number, CurrentTokens[], string, string[]]>([
    ['valid, once', 0, [first], 'access-1', ['read v1']],
    ['without an expiry', 9e12, [{ ...first, expiresAt: undefined }], 'access-1', ['read v1']],
    [
      'expiring within a minute',
      940_000,
      [first, first, second],
      'access-2',
      ['read v1', 'rotate', 'read v1', 'read v2'],
    ],
    ['missing', 0, [{ versionId: 'v1' }, second], 'access-2', ['read v1', ...rotated]],
    [
      'replaced by one that expires within a minute',
      2e6,
      [first, expiring],
      'access-2',
      ['read v1', ...rotated],
    ],
    [
      'replaced by one that has expired',
      2e6,
      [first, expired, third],
      'access-3',
      ['read v1', ...rotated, 'rotate', 'read v3'],
    ],
  ])('that is %s, gets a usable one for concurrent requests', async (_, now, versions, token, steps) => {
    const { authorization, log } = setUp(now, ...versions);
    const headers = await Promise.all([authorization(), authorization(), authorization()]);
    expect(headers).toEqual(Array(3).fill(`Bearer ${token}`));
    expect(log).toEqual(steps);
  });

  it('reads the secret again a minute before the token expires', async () => {
    const { authorization, log, state } = setUp(0, first, second);
    for (const now of [0, 939_999]) {
      state.now = now;
      expect(await authorization()).toBe('Bearer access-1');
    }
    state.now = 940_000;
    expect(await authorization()).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it.each<[string, (CurrentTokens | undefined)[], string, string[]]>([
    ['uses another token of the secret', [second], 'access-2', ['read v2']],
    ['starts a rotation', [first, second], 'access-2', ['read v1', ...rotated]],
    [
      'waits while the secret has it',
      [first, { ...first, versionId: 'v2' }, third],
      'access-3',
      ['read v1', ...rotated, 'rotate', 'read v3'],
    ],
    [
      'waits while the secret has no access token',
      [first, { versionId: 'v2' }, third],
      'access-3',
      ['read v1', ...rotated, 'rotate', 'read v3'],
    ],
    [
      'waits while the secret cannot be read',
      [first, undefined, third],
      'access-3',
      ['read v1', 'rotate', 'read undefined', 'read v3'],
    ],
  ])('%s after a 401', async (_, versions, token, steps) => {
    const { authorization, renew, log } = setUp(0, first, ...versions);
    const refused = await authorization();
    expect(await renew(refused)).toBe(`Bearer ${token}`);
    // Another call that got the 401, too.
    expect(await renew(refused)).toBe(`Bearer ${token}`);
    expect(log).toEqual(['read v1', ...steps]);
  });

  it('fails after 45 seconds without a new token, and starts a rotation for the next request', async () => {
    const { authorization, log, state } = setUp(2_000_000, first);
    const error = {
      name: 'TokenRenewalError',
      message: 'The token was not rotated within 45 seconds; see the log of token-refresh.',
    };
    await expect(authorization()).rejects.toMatchObject(error);
    expect([state.now, log.length]).toEqual([2_045_000, 2 + 90]);
    await expect(authorization()).rejects.toMatchObject(error);
    expect(log.filter((line) => line === 'rotate')).toHaveLength(2);
  });

  it('fails at once when the secret has no value', async () => {
    const { authorization, log } = setUp(0, undefined);
    await expect(authorization()).rejects.toMatchObject({
      name: 'NoTokenError',
      message: 'The token secret has no value; store a token.',
    });
    expect(log).toEqual(['read undefined']);
  });
});
