import { describe, expect, it } from 'vitest';
import type { CurrentTokens } from '../lambdas/ports/token-rotation.ts';
import { rotatedTokenAuthentication } from '../lambdas/webhook-audit/rotated-token.ts';

const good: CurrentTokens = { versionId: 'v1', accessToken: 'access-1', expiresAt: 1_000_000 };
const renewed: CurrentTokens = { versionId: 'v2', accessToken: 'access-2', expiresAt: 5_000_000 };

interface Setting {
  readonly now?: number;
  /** What is read, one after another; the last one for ever. */
  readonly reads: readonly (CurrentTokens | undefined)[];
}

/** Without a clock of its own: a pause takes the time that it is asked for. */
function start({ now = 0, reads }: Setting) {
  const log: string[] = [];
  const state = { now };
  let count = 0;
  const authentication = rotatedTokenAuthentication({
    readTokens: async () => {
      const tokens = reads[Math.min(count, reads.length - 1)];
      count += 1;
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

describe('the token of a reader', () => {
  it('is read once while it is good', async () => {
    const { authorization, log } = start({ reads: [good] });
    expect(await authorization()).toBe('Bearer access-1');
    expect(await authorization()).toBe('Bearer access-1');
    expect(log).toEqual(['read v1']);
  });

  it('is read again a minute before it expires, as a rotation may have renewed it', async () => {
    const { authorization, log, state } = start({ reads: [good, renewed] });
    await authorization();
    state.now = 940_000;
    expect(await authorization()).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it.each<[string, CurrentTokens]>([
    ['expires within a minute', good],
    ['is missing', { versionId: 'v1' }],
  ])('is rotated when it %s, and waited for', async (_, tokens) => {
    const { authorization, log } = start({ now: 940_000, reads: [tokens, tokens, tokens, renewed] });
    expect(await authorization()).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'rotate', 'read v1', 'read v1', 'read v2']);
  });

  it('is rotated after a 401', async () => {
    const { authorization, renew, log } = start({ reads: [good, good, renewed] });
    expect(await renew(await authorization())).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v1', 'rotate', 'read v2']);
  });

  it('is not rotated after a 401 when the secret has another one by now', async () => {
    const { authorization, renew, log } = start({ reads: [good, renewed] });
    expect(await renew(await authorization())).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it('is not read again for a second call that was refused with the same token', async () => {
    const { authorization, renew, log } = start({ reads: [good, renewed] });
    const refused = await authorization();
    await renew(refused);
    expect(await renew(refused)).toBe('Bearer access-2');
    expect(log).toEqual(['read v1', 'read v2']);
  });

  it('counts as long as nobody knows when it expires', async () => {
    const { authorization, log } = start({
      now: 9e12,
      reads: [{ versionId: 'v1', accessToken: 'access-1' }],
    });
    expect(await authorization()).toBe('Bearer access-1');
    expect(log).toEqual(['read v1']);
  });

  it('is renewed once for calls that need it at the same time', async () => {
    const { authorization, log } = start({ now: 2_000_000, reads: [good, renewed] });
    const headers = await Promise.all([authorization(), authorization(), authorization()]);
    expect(headers).toEqual(Array(3).fill('Bearer access-2'));
    expect(log).toEqual(['read v1', 'rotate', 'read v2']);
  });

  it('is taken however short it lives, when it has just been made', async () => {
    const brief = { versionId: 'v2', accessToken: 'access-2', expiresAt: 2_030_000 };
    const { authorization } = start({ now: 2_000_000, reads: [good, brief] });
    expect(await authorization()).toBe('Bearer access-2');
  });

  it('is asked for again when what ended was an older rotation, whose token has expired', async () => {
    const late = { versionId: 'v2', accessToken: 'access-2', expiresAt: 1_500_000 };
    const third = { ...renewed, versionId: 'v3', accessToken: 'access-3' };
    const { authorization, log } = start({ now: 2_000_000, reads: [good, late, third] });
    expect(await authorization()).toBe('Bearer access-3');
    expect(log).toEqual(['read v1', 'rotate', 'read v2', 'rotate', 'read v3']);
  });

  it('is given up after 45 seconds, and asked for anew by the next call', async () => {
    const { authorization, log, state } = start({ now: 2_000_000, reads: [good] });
    await expect(authorization()).rejects.toMatchObject({
      name: 'TokenRenewalError',
      message: 'The token was not rotated within 45 seconds; see the log of token-refresh.',
    });
    expect(state.now).toBe(2_045_000);
    expect(log).toHaveLength(2 + 90);
    await expect(authorization()).rejects.toMatchObject({ name: 'TokenRenewalError' });
    expect(log.filter((line) => line === 'rotate')).toHaveLength(2);
  });

  it('cannot be had while the secret has no value', async () => {
    const { authorization, log } = start({ reads: [undefined] });
    await expect(authorization()).rejects.toThrow('The token secret has no value');
    expect(log).toEqual(['read undefined']);
  });
});
