import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { exchangeTokens } from '../lambdas/token-refresh/exchange.ts';
import { createPaymentService } from '../lambdas/token-refresh/payment-service.ts';
import { rotationSteps } from '../lambdas/token-refresh/rotation-event.ts';
import type { TokenRefreshParts } from '../lambdas/token-refresh/token-refresh.ts';
import { firstTokens, firstVersion, type StartedRotation, startRotation } from './doubles/token-rotation.ts';

type Work = (...given: never[]) => Promise<unknown>;

/** What becomes of the call of this number (from 1), and of those after it. */
interface Interruption {
  readonly call: number;
  /** Whether it had its effect before it failed. */
  readonly when: 'before' | 'after';
  /** A process that was killed makes no further call; a fault passes. */
  readonly lasts: boolean;
}

/** The ports of a rotation, counted, and interrupted once. */
function interruptible(parts: TokenRefreshParts, interruption?: Interruption) {
  const calls: string[] = [];
  const wrap = <Call extends Work>(name: string, work: Call): Call =>
    (async (...given: never[]) => {
      const number = calls.push(name);
      const isHit = number === interruption?.call;
      const isOver = interruption?.lasts === true && number > interruption.call;
      if (isOver || (isHit && interruption.when === 'before')) throw new Error(`${name} was interrupted`);
      const answer = await work(...given);
      if (isHit) throw new Error(`the answer of ${name} was lost`);
      return answer;
    }) as unknown as Call;
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
  return { calls, ports };
}

/** Every port call of a rotation without any interruption. */
const usualCalls = [
  ...['describe', 'read', 'read', 'read', 'exchange', 'putPending'],
  ...['describe', 'read'],
  ...['describe', 'read', 'checkAccount'],
  ...['describe', 'read', 'makeCurrent'],
];
const [exchangeCall, putCall] = [5, 6];

const interruptions = usualCalls.flatMap((name, index) =>
  (['before', 'after'] as const).map((when) => ({ name, call: index + 1, when })),
);
/** From the moment the service has made new tokens until they are kept, a process has the only copy. */
const isFatal = ({ call, when }: Pick<Interruption, 'call' | 'when'>): boolean =>
  (call === exchangeCall && when === 'after') || (call === putCall && when === 'before');

const onlyCopy = interruptions.filter(isFatal);
const others = interruptions.filter((one) => !isFatal(one));

/** One refresh token is current, the service takes it once, and the access token beside it works. */
async function expectOneValidToken({ read, exchange, simulator }: StartedRotation): Promise<void> {
  const { tokens } = await read();
  const authorization = `Bearer ${tokens.accessToken}`;
  expect((await simulator.request('GET /api/v2/account/me', { authorization })).status).toBe(200);
  expect((await exchange(tokens.refreshToken)).token_type).toBe('Bearer');
  await expect(exchange(tokens.refreshToken)).rejects.toMatchObject({ status: 400 });
}

async function startInterrupted(interruption: Interruption) {
  const started = await startRotation();
  const { ports } = interruptible(started.parts, interruption);
  const versionId = await started.begin();
  const handler = started.instance(ports);
  const outcome = await started.runAll(versionId, handler).then(
    () => 'done',
    () => 'failed',
  );
  return { started, versionId, handler, outcome };
}

describe('a rotation', () => {
  it('makes these calls, between any two of which it may be killed', async () => {
    const started = await startRotation();
    const { calls, ports } = interruptible(started.parts);
    await started.runAll(await started.begin(), started.instance(ports));
    expect(calls).toEqual(usualCalls);
    await expectOneValidToken(started);
  });

  it.each(others)('that is killed $when call $call, $name, is resumed by another instance', async (at) => {
    const { started, versionId, outcome } = await startInterrupted({ ...at, lasts: true });
    expect(outcome).toBe('failed');
    await started.runAll(versionId);
    expect((await started.read()).versionId).toBe(versionId);
    await expectOneValidToken(started);
  });

  it.each(others)(
    'that is killed $when call $call, $name, is followed by one to another version',
    async (at) => {
      const { started, versionId } = await startInterrupted({ ...at, lasts: true });
      const { labels, removePending, begin, runAll, read } = started;
      const isCurrent = (await labels())[versionId]?.includes('AWSCURRENT') === true;
      // While it is open, Secrets Manager refuses another one.
      if (!isCurrent) {
        await expect(begin()).rejects.toMatchObject({ name: 'InvalidRequestException' });
        await removePending(versionId);
      }
      const next = await begin();
      await runAll(next);
      expect((await read()).versionId).toBe(next);
      await expectOneValidToken(started);
    },
  );

  it.each(interruptions.filter(({ name }) => name !== 'exchange'))(
    'that meets a fault $when call $call, $name, comes to its end in the same instance',
    async (at) => {
      const { started, versionId, handler } = await startInterrupted({ ...at, lasts: false });
      await started.runAll(versionId, handler);
      expect((await started.read()).versionId).toBe(versionId);
      await expectOneValidToken(started);
    },
  );

  it.each(onlyCopy)('that is killed $when call $call, $name, says that the token is lost', async (at) => {
    const { started, versionId } = await startInterrupted({ ...at, lasts: true });
    await expect(started.runAll(versionId)).rejects.toThrow(/400.*npx payhooks token set/s);
    expect(started.telemetry.metrics.at(-1)).toBe('TokenRefreshFailed');
    expect((await started.read()).versionId).toBe(firstVersion);
  });

  it('tries three times to keep its tokens within one step', async () => {
    const started = await startRotation();
    const { versions } = started.parts;
    const pauses: number[] = [];
    let attempts = 0;
    const putPending: typeof versions.putPending = async (version) => {
      attempts += 1;
      if (attempts < 3) throw new Error('Secrets Manager is down');
      return versions.putPending(version);
    };
    const pause = async (milliseconds: number) => pauses.push(milliseconds);
    const handler = started.instance({ versions: { ...versions, putPending }, pause });
    await started.runAll(await started.begin(), handler);
    expect(pauses).toEqual([500, 1_000]);
    await expectOneValidToken(started);
  });

  it('keeps its tokens in memory while Secrets Manager takes none, and does not exchange again', async () => {
    const started = await startRotation();
    const versionId = await started.begin();
    const { versions } = started.parts;
    let isDown = true;
    const handler = started.instance({
      versions: {
        ...versions,
        putPending: async (version) => {
          if (isDown) throw new Error('Secrets Manager is down');
          return versions.putPending(version);
        },
      },
    });
    await expect(started.runAll(versionId, handler)).rejects.toThrow('holds the only copy');
    isDown = false;
    await started.runAll(versionId, handler);
    await expectOneValidToken(started);
  });
});

describe('an exchange whose answer is lost', () => {
  it('is repeated once, and ends well when the request had never arrived', async () => {
    const started = await startRotation();
    const real = started.parts.exchanges(firstTokens);
    const cut = await startCut();
    const outcomes = [cut, real];
    const answer = await exchangeTokens((token) => (outcomes.shift() ?? real)(token), 'first-refresh');
    expect(answer.token_type).toBe('Bearer');
  });

  it('is refused at the second attempt when the service had done it, which says what to do', async () => {
    const started = await startRotation();
    const real = started.parts.exchanges(firstTokens);
    const cut = await startCut();
    const losing = async (token: string) => {
      await real(token);
      return cut(token);
    };
    const versionId = await started.begin();
    const exchanges = () => {
      const attempts = [losing, real];
      return (token: string) => (attempts.shift() ?? real)(token);
    };
    await expect(started.runAll(versionId, started.instance({ exchanges }))).rejects.toThrow(
      /answer of an exchange was lost.*400.*spent.*npx payhooks token set/s,
    );
    expect(started.telemetry.metrics).toEqual(['TokenRefreshFailed']);
    expect((await started.read()).tokens).toEqual(firstTokens);
    // The access token from before the lost answer is not affected.
    const authorization = 'Bearer first-access';
    expect((await started.simulator.request('GET /api/v2/account/me', { authorization })).status).toBe(200);
  });

  it('is not repeated a second time', async () => {
    let attempts = 0;
    const cut = await startCut();
    const answer = exchangeTokens((token) => {
      attempts += 1;
      return cut(token);
    }, 'first-refresh');
    await expect(answer).rejects.toMatchObject({ name: 'UnreachableError', maybeExecuted: true });
    expect(attempts).toBe(2);
  });

  it('is told from a request that the service asked to send later', async () => {
    const { baseUrl, received } = await startService({ status: 429, headers: { 'retry-after': '60' } });
    const { exchanges } = createPaymentService(baseUrl);
    const answer = exchangeTokens(exchanges(firstTokens), 'first-refresh');
    await expect(answer).rejects.toMatchObject({ name: 'StatusError', status: 429 });
    expect(received).toHaveLength(1);
  });

  /** The exchange with a service that closes every connection without an answer. */
  async function startCut() {
    const { baseUrl } = await startService({ fault: 'cut' });
    return createPaymentService(baseUrl).exchanges(firstTokens);
  }
});

describe('two instances at once', () => {
  it('that rotate to one version end with one valid refresh token', async () => {
    const started = await startRotation();
    const versionId = await started.begin();
    for (const step of rotationSteps) {
      const both = [started.instance(), started.instance()];
      const outcomes = await Promise.allSettled(both.map((one) => one(started.eventOf(versionId, step))));
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
    }
    expect((await started.read()).versionId).toBe(versionId);
    await expectOneValidToken(started);
  });
});
