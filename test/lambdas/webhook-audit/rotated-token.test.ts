import { describe, expect, it } from 'vitest';
import type { CurrentTokens } from '../../../lambdas/ports/token-rotation.ts';
import { rotatedTokenAuthentication } from '../../../lambdas/webhook-audit/rotated-token.ts';

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

describe('a reader of the token', () => {
  it('reads the secret once while the token is valid', async () => {
    const { authorization, log } = setUp(0, first);
    expect(await authorization()).toBe('Bearer access-1');
    expect(await authorization()).toBe('Bearer access-1');
    expect(log).toEqual(['read v1']);
  });

  it('reads the secret again a minute before the token expires', async () => {
    const { authorization, log, state } = setUp(0, first, second);
    await authorization();
    state.now = 940_000;
    expect(await authorization()).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it.each<[string, CurrentTokens]>([
    ['expires within a minute', first],
    ['is missing', { versionId: 'v1' }],
  ])('starts a rotation and waits for it when the token %s', async (_, tokens) => {
    const { authorization, log } = setUp(940_000, tokens, tokens, tokens, second);
    expect(await authorization()).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'rotate', 'read v1', 'read v1', 'read v2']);
  });

  it('starts a rotation after a 401', async () => {
    const { authorization, renew, log } = setUp(0, first, first, second);
    expect(await renew(await authorization())).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v1', 'rotate', 'read v2']);
  });

  it('starts no rotation after a 401 when the secret has another token, and reads that one once', async () => {
    const { authorization, renew, log } = setUp(0, first, second);
    const refused = await authorization();
    expect(await renew(refused)).toBe('Bearer access-2');
    expect(await renew(refused)).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it('uses a token without an expiry until it is refused', async () => {
    const { authorization, log } = setUp(9e12, { versionId: 'v1', accessToken: 'access-1' });
    expect(await authorization()).toBe('Bearer access-1');
    expect(log).toEqual(['read v1']);
  });

  it('starts one rotation for concurrent requests', async () => {
    const { authorization, log } = setUp(2_000_000, first, second);
    const headers = await Promise.all([authorization(), authorization(), authorization()]);
    expect(headers).toEqual(Array(3).fill('Bearer access-2'));
    expect(log).toEqual(['read v1', 'rotate', 'read v2']);
  });

  it('uses a new token even when it expires within a minute', async () => {
    const { authorization } = setUp(2_000_000, first, { ...second, expiresAt: 2_030_000 });
    expect(await authorization()).toBe('Bearer access-2');
  });

  it('starts a second rotation when the new token comes from an older one and has expired', async () => {
    const { authorization, log } = setUp(2_000_000, first, { ...second, expiresAt: 1_500_000 }, third);
    expect(await authorization()).toBe('Bearer access-3');
    expect(log).toEqual(['read v1', 'rotate', 'read v2', 'rotate', 'read v3']);
  });

  it('fails after 45 seconds without a new token, and starts a rotation for the next request', async () => {
    const { authorization, log, state } = setUp(2_000_000, first);
    await expect(authorization()).rejects.toMatchObject({
      name: 'TokenRenewalError',
      message: 'The token was not rotated within 45 seconds; see the log of token-refresh.',
    });
    expect(state.now).toBe(2_045_000);
    expect(log).toHaveLength(2 + 90);
    await expect(authorization()).rejects.toMatchObject({ name: 'TokenRenewalError' });
    expect(log.filter((line) => line === 'rotate')).toHaveLength(2);
  });

  it('fails after 90 reads when the clock stands still, and after one that takes 45 seconds', async () => {
    const log: string[] = [];
    const state = { now: 2_000_000 };
    const readerWith = (pause: () => Promise<unknown>) =>
      rotatedTokenAuthentication({
        readTokens: async () => {
          log.push('read');
          return first;
        },
        rotate: async () => {},
        pause,
        now: () => state.now,
      });
    const error = { name: 'TokenRenewalError' };
    await expect(readerWith(async () => {}).authorization()).rejects.toMatchObject(error);
    expect(log).toHaveLength(1 + 90);
    log.length = 0;
    const slow = async () => {
      state.now += 45_000;
    };
    await expect(readerWith(slow).authorization()).rejects.toMatchObject(error);
    expect(log).toHaveLength(1 + 1);
  });

  it.each<[string, CurrentTokens | undefined]>([
    ['has the refused token', { versionId: 'v2', accessToken: 'access-1' }],
    ['has no access token', { versionId: 'v2' }],
    ['cannot be read for a moment', undefined],
  ])('waits for another token when the secret %s', async (_, between) => {
    const { authorization, renew } = setUp(0, first, first, between, third);
    expect(await renew(await authorization())).toBe('Bearer access-3');
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
