import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it, vi } from 'vitest';
import { rotationSteps } from '../../../lambdas/rotation/rotation-event.ts';
import { createPaymentService, exchangeTokens } from '../../../lambdas/token-refresh/exchange.ts';
import type { TokenRefreshParts } from '../../../lambdas/token-refresh/token-refresh.ts';
import { firstTokens, firstVersion, startRotation } from '../../doubles/token-rotation.ts';

type Call = (...given: never[]) => Promise<unknown>;

/** The ports of a rotation, which fail from one call on, counted from 1, as after a kill. */
function interruptible(parts: TokenRefreshParts, call: number, when: 'before' | 'after') {
  const state = { calls: 0, interrupted: '' };
  const wrap = <Port extends Call>(name: string, port: Port): Port =>
    (async (...given: never[]) => {
      state.calls += 1;
      if (state.calls === call) state.interrupted = name;
      if (state.calls > call || (state.calls === call && when === 'before')) throw new Error('killed');
      const result = await port(...given);
      // The call has had its effect.
      if (state.calls === call) throw new Error('killed');
      return result;
    }) as unknown as Port;
  const { versions } = parts;
  const ports = {
    checkAccount: wrap('checkAccount', parts.checkAccount),
    exchanges: ((client) => wrap('exchange', parts.exchanges(client))) as TokenRefreshParts['exchanges'],
    versions: {
      describe: wrap('describe', versions.describe),
      read: wrap('read', versions.read),
      putPending: wrap('putPending', versions.putPending),
      makeCurrent: wrap('makeCurrent', versions.makeCurrent),
      release: wrap('release', versions.release),
    },
  };
  return { state, ports };
}

describe('a rotation of the token', () => {
  // Until a process has stored the tokens of an exchange, it has the only copy.
  it.each([
    ['before', 'putPending'],
    ['after', 'exchange'],
  ] as const)(
    'killed %s any call is completed by another instance, and asks for a token where it was lost: %s',
    async (when, loses) => {
      let isComplete = false;
      for (let call = 1; !isComplete && call < 50; call += 1) {
        const { parts, begin, createHandler, runSteps, read, expectOneValidToken } = await startRotation();
        const { state, ports } = interruptible(parts, call, when);
        const versionId = await begin();
        await runSteps(versionId, createHandler(ports)).catch(() => {});
        isComplete = state.interrupted === '';
        if (state.interrupted === loses) {
          await expect(runSteps(versionId)).rejects.toThrow(/400.*npx payhooks token set/s);
          expect((await read()).versionId).toBe(firstVersion);
        } else {
          await runSteps(versionId);
          expect((await read()).versionId, state.interrupted).toBe(versionId);
          await expectOneValidToken();
        }
      }
      expect(isComplete).toBe(true);
    },
  );

  it('keeps tokens that three attempts could not store in memory, and stores them in its next invocation', async () => {
    const { parts, begin, runSteps, createHandler, expectOneValidToken } = await startRotation();
    const versionId = await begin();
    const putPending = vi.fn(parts.versions.putPending);
    for (let round = 0; round < 3; round += 1) putPending.mockRejectedValueOnce(new Error('down'));
    const pause = vi.fn(async (_: number) => {});
    const handler = createHandler({ versions: { ...parts.versions, putPending }, pause });
    await expect(runSteps(versionId, handler)).rejects.toMatchObject({
      message:
        'The new tokens could not be stored. This instance of the function holds the only copy and tries ' +
        'again at its next invocation. If it ends before that, the refresh token is lost.',
      cause: { message: 'down' },
    });
    expect(pause.mock.calls.flat()).toEqual([500, 1_000]);
    await runSteps(versionId, handler);
    await expectOneValidToken();
  });

  it('ends with one valid token when two instances run every step at once', async () => {
    const { begin, createHandler, eventOf, read, expectOneValidToken } = await startRotation();
    const versionId = await begin();
    for (const step of rotationSteps) {
      const event = eventOf(versionId, step);
      const outcomes = await Promise.allSettled([createHandler()(event), createHandler()(event)]);
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
    }
    expect((await read()).versionId).toBe(versionId);
    await expectOneValidToken();
  });
});

describe('exchangeTokens', () => {
  /** An exchange with a service that closes every connection without a response. */
  async function startUnreachable() {
    const { baseUrl } = await startService({ fault: 'cut' });
    return vi.fn(createPaymentService(baseUrl).exchanges(firstTokens));
  }

  it('repeats a request that did not arrive', async () => {
    const { exchange } = await startRotation();
    const lostOnce = vi.fn(exchange).mockImplementationOnce(await startUnreachable());
    expect((await exchangeTokens(lostOnce, 'first-refresh')).token_type).toBe('Bearer');
  });

  it('fails with the command that stores a token when the service executed a request without a response', async () => {
    const { exchange, begin, runSteps, createHandler, read, expectAccess } = await startRotation();
    const unreachable = await startUnreachable();
    const responseLost = vi.fn(exchange).mockImplementationOnce(async (token) => {
      await exchange(token);
      return unreachable(token);
    });
    const handler = createHandler({ exchanges: () => responseLost });
    await expect(runSteps(await begin(), handler)).rejects.toThrow(
      /exchange was lost.*400.*spent.*npx payhooks token set/s,
    );
    expect((await read()).tokens).toEqual(firstTokens);
    // The earlier access token still works.
    await expectAccess('first-access');
  });

  it('names both the client and the token when a lost response is followed by a 401', async () => {
    const { baseUrl } = await startService({ status: 401, json: { message: 'Unauthenticated.' } });
    const refused = createPaymentService(baseUrl).exchanges(firstTokens);
    const exchange = vi.fn(refused).mockImplementationOnce(await startUnreachable());
    const failed = await exchangeTokens(exchange, 'first-refresh').catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'ExchangeRefusedError' });
    expect(String(failed)).toMatch(
      /exchange was lost.*401.*does not show which.*--keep-refresh-token.*Authorise/s,
    );
  });
});
