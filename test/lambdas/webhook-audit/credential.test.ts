import { describe, expect, it } from 'vitest';
import type { CurrentTokens } from '../../../lambdas/ports/token-rotation.ts';
import { rotatedTokenAuthentication } from '../../../lambdas/webhook-audit/credential.ts';

// By every clock their lifetime is over: it is not judged.
const expired = { expiresAt: 0 };
const first: CurrentTokens = { versionId: 'v1', accessToken: 'access-1', ...expired };
const second: CurrentTokens = { versionId: 'v2', accessToken: 'access-2', ...expired };
const third: CurrentTokens = { versionId: 'v3', accessToken: 'access-3', ...expired };

/** A reader of these versions of the secret, one after another. */
function setUp(...versions: (CurrentTokens | undefined)[]) {
  const log: string[] = [];
  const paused: number[] = [];
  const remaining = [...versions];
  const authentication = rotatedTokenAuthentication({
    readTokens: async () => {
      const tokens = remaining.length > 1 ? remaining.shift() : remaining[0];
      log.push(`read ${tokens?.versionId}`);
      return tokens;
    },
    rotate: async () => void log.push('rotate'),
    pause: async (milliseconds) => paused.push(milliseconds),
  });
  const renew = async (refused: string): Promise<string> => (await authentication.renew?.(refused)) ?? '';
  return { authorization: authentication.authorization, renew, log, paused };
}

const rotated = ['rotate', 'read v2'];

describe('a reader of the token', () => {
  it.each<[string, CurrentTokens[], string, string[]]>([
    ['there, although a clock that is ahead shows it as expired', [first], 'access-1', ['read v1']],
    ['missing', [{ versionId: 'v1' }, second], 'access-2', ['read v1', ...rotated]],
  ])('that is %s, gets a usable one for all requests', async (_, versions, token, steps) => {
    const { authorization, log } = setUp(...versions);
    const headers = await Promise.all([authorization(), authorization(), authorization()]);
    expect([...headers, await authorization()]).toEqual(Array(4).fill(`Bearer ${token}`));
    expect(log).toEqual(steps);
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
    const { authorization, renew, log } = setUp(first, ...versions);
    const refused = await authorization();
    expect(await renew(refused)).toBe(`Bearer ${token}`);
    // Another call that got the 401, too.
    expect(await renew(refused)).toBe(`Bearer ${token}`);
    expect(log).toEqual(['read v1', ...steps]);
  });

  const error = {
    name: 'TokenRenewalError',
    message: 'No other access token came within 45 seconds or 2 rotations; see the log of token-refresh.',
  };

  it('fails after 45 seconds without a new token, and starts a rotation for the next request', async () => {
    const { authorization, log, paused } = setUp({ versionId: 'v1' });
    await expect(authorization()).rejects.toMatchObject(error);
    expect(paused.reduce((sum, one) => sum + one, 0)).toBe(45_000);
    await expect(authorization()).rejects.toMatchObject(error);
    expect(log.filter((line) => line === 'rotate')).toHaveLength(2);
  });

  it('spends no more than two refresh tokens when every rotation brings the refused access token', async () => {
    const same = Array.from({ length: 20 }, (_, n) => ({ ...first, versionId: `v${n}` }));
    const { authorization, renew, log } = setUp(...same);
    await expect(renew(await authorization())).rejects.toMatchObject(error);
    expect(log.filter((line) => line === 'rotate')).toHaveLength(2);
  });
});
