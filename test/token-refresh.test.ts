import { randomUUID } from 'node:crypto';
import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { createPaymentService } from '../lambdas/token-refresh/payment-service.ts';
import { firstTokens, firstVersion, type RotationSetting, startRotation } from './doubles/token-rotation.ts';

const unknown = '00000000-0000-4000-8000-0000000000ff';

/** A rotation that has its version and has run the steps up to and with the one named. */
async function startAfter(step: 'createSecret' | 'finishSecret' | undefined, setting: RotationSetting = {}) {
  const started = await startRotation(setting);
  const versionId = await started.begin();
  const run = (name: string) => started.instance()(started.eventOf(versionId, name));
  if (step === 'createSecret') await run('createSecret');
  if (step === 'finishSecret') await started.runAll(versionId);
  return { ...started, versionId, run };
}

describe('a rotation', () => {
  it('ends with new tokens that work as the current ones', async () => {
    const { read, labels, versionId, simulator, exchange, telemetry } = await startAfter('finishSecret');
    const { tokens } = await read();
    expect(tokens).toMatchObject({ clientId: 'shop', clientSecret: 'shop-secret', replaces: firstVersion });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await labels()).toEqual({
      [firstVersion]: ['AWSPREVIOUS'],
      [versionId]: ['AWSPENDING', 'NEWEST_TOKEN', 'AWSCURRENT'],
    });
    const authorization = `Bearer ${tokens.accessToken}`;
    expect((await simulator.request('GET /api/v2/account/me', { authorization })).status).toBe(200);
    await expect(exchange('first-refresh')).rejects.toMatchObject({ status: 400 });
    expect((await exchange(tokens.refreshToken)).token_type).toBe('Bearer');
    expect(telemetry.metrics).toEqual([]);
  });

  it('says what it did, and nothing of a token', async () => {
    const { telemetry, read, versionId } = await startAfter('finishSecret');
    const { tokens } = await read();
    expect(telemetry.lines.map(({ fields }) => `${fields['step']} ${fields['outcome']}`)).toEqual([
      'createSecret renewed',
      'setSecret is complete',
      'testSecret works',
      'finishSecret is current',
    ]);
    expect(telemetry.lines[0]?.fields['version_id']).toBe(versionId);
    expect(telemetry.flushes()).toBe(4);
    const said = JSON.stringify(telemetry.lines);
    for (const secret of [tokens.refreshToken, tokens.accessToken, 'shop-secret', 'first-refresh']) {
      expect(said).not.toContain(secret);
    }
  });

  it('can be followed by the next one', async () => {
    const { read, begin, runAll, exchange } = await startAfter('finishSecret');
    const { tokens: second } = await read();
    await runAll(await begin());
    const { tokens: third } = await read();
    expect(new Set(['first-refresh', second.refreshToken, third.refreshToken]).size).toBe(3);
    expect((await exchange(third.refreshToken)).expires_in).toBe(3_600);
  });

  it.each(['createSecret', 'setSecret', 'testSecret', 'finishSecret'])(
    'takes %s again after its end without any change',
    async (step) => {
      const { run, read, labels } = await startAfter('finishSecret');
      const before = [await read(), await labels()];
      await run(step);
      expect([await read(), await labels()]).toEqual(before);
    },
  );

  it('takes every step twice', async () => {
    const { run, read, exchange } = await startAfter(undefined);
    for (const step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
      await run(step);
      await run(step);
    }
    expect((await exchange((await read()).tokens.refreshToken)).token_type).toBe('Bearer');
  });
});

describe('createSecret', () => {
  it('leaves the current tokens alone', async () => {
    const { read } = await startAfter('createSecret');
    expect(await read()).toEqual({ versionId: firstVersion, tokens: firstTokens });
    expect((await read('AWSPENDING')).tokens.replaces).toBe(firstVersion);
  });

  it('says what to do when nobody has put in a token yet', async () => {
    const { run, telemetry } = await startAfter(undefined, { tokens: null });
    await expect(run('createSecret')).rejects.toThrow('npx payhooks token set');
    expect(telemetry.metrics).toEqual(['TokenRefreshFailed']);
  });

  it('passes on what the service says about a refresh token that it refuses, and how to repair it', async () => {
    const tokens = { ...firstTokens, refreshToken: 'spent-long-ago' };
    const { run, telemetry } = await startAfter(undefined, { tokens });
    await expect(run('createSecret')).rejects.toThrow(/failed with status 400.*npx payhooks token set/s);
    expect(telemetry.metrics).toEqual(['TokenRefreshFailed']);
    expect(JSON.stringify(telemetry.lines)).not.toContain('spent-long-ago');
  });
});

describe('setSecret', () => {
  it('fails while createSecret has not filled the version', async () => {
    const { run } = await startAfter(undefined);
    await expect(run('setSecret')).rejects.toThrow('has no value, so createSecret did not fill it');
  });
});

describe('testSecret', () => {
  it('takes an answer of 403 for a proof: the token was recognised', async () => {
    const { instance, eventOf, versionId, telemetry } = await startAfter('createSecret');
    const { baseUrl } = await startService({ status: 403, json: { message: 'Unauthenticated' } });
    const { checkAccount } = createPaymentService(baseUrl);
    await instance({ checkAccount })(eventOf(versionId, 'testSecret'));
    expect(telemetry.lines.at(-1)?.fields['outcome']).toContain('is authentic');
  });

  it('fails for a token that is not expired and that the service does not know', async () => {
    const { parts, instance, eventOf, begin, telemetry, read } = await startRotation();
    const versionId = await begin();
    const text = JSON.stringify({
      ...{ client_id: 'shop', client_secret: 's', refresh_token: 'r', access_token: 'nobody' },
      ...{ replaces: firstVersion, expires_at: '2999-01-01T00:00:00Z' },
    });
    await parts.versions.putPending({ versionId, text });
    await expect(instance()(eventOf(versionId, 'testSecret'))).rejects.toMatchObject({
      name: 'UnauthenticatedError',
    });
    expect(telemetry.metrics).toEqual(['TokenRefreshFailed']);
    expect((await read()).versionId).toBe(firstVersion);
  });

  it('lets a rotation end that is resumed after its access token has expired', async () => {
    let now = Date.now();
    const clock = () => now;
    const { run, instance, eventOf, versionId, read, exchange } = await startAfter('createSecret', {
      simulator: { clock },
    });
    now += 3_700_000;
    await expect(run('testSecret')).rejects.toMatchObject({ name: 'UnauthenticatedError' });
    for (const step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
      await instance({ now: clock })(eventOf(versionId, step));
    }
    expect((await read()).versionId).toBe(versionId);
    expect((await exchange((await read()).tokens.refreshToken)).token_type).toBe('Bearer');
  });

  it('is content with a version without a token, with which a new schedule is tried', async () => {
    const { run, telemetry } = await startAfter(undefined, { tokens: null });
    await run('testSecret');
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.lines.at(-1)?.fields['outcome']).toBe('holds no access token to test');
  });
});

describe('a token that is put in by hand while a rotation is open', () => {
  it.each(['createSecret', 'finishSecret'])('stays current, and %s gives way to it', async (step) => {
    const started = await startAfter('createSecret');
    const { run, begin, runAll, read, exchange, labels, versionId, putByHand } = started;
    const { refresh_token } = await exchange((await read('AWSPENDING')).tokens.refreshToken);
    await putByHand(refresh_token);
    await expect(run(step)).rejects.toThrow('so it is cancelled. Rotate again');
    expect((await read()).tokens.refreshToken).toBe(refresh_token);
    expect((await labels())[versionId]).toEqual(['NEWEST_TOKEN']);
    await runAll(await begin());
    expect((await exchange((await read()).tokens.refreshToken)).token_type).toBe('Bearer');
  });

  it('is what createSecret begins with when it was put in before', async () => {
    const { run, exchange, putByHand, read } = await startAfter(undefined);
    const { refresh_token } = await exchange('first-refresh');
    await putByHand(refresh_token);
    const { versionId } = await read();
    for (const step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) await run(step);
    expect((await read()).tokens.replaces).toBe(versionId);
  });
});

describe('what is no step of a rotation', () => {
  it.each<[string, (event: object) => unknown, string]>([
    [
      'an unknown step',
      (event) => ({ ...event, Step: 'setsecret' }),
      'The step is "setsecret"; expected one of',
    ],
    ['an event without a step', (event) => ({ ...event, Step: undefined }), 'The event has no Step'],
    ['no event', () => null, 'The event has no Step'],
    ['another secret', (event) => ({ ...event, SecretId: 'arn:other' }), 'names another secret'],
    ['an unknown version', (event) => ({ ...event, ClientRequestToken: unknown }), `no version ${unknown}`],
  ])('is refused and counted: %s', async (_, change, reason) => {
    const { instance, eventOf, versionId, telemetry } = await startAfter(undefined);
    await expect(instance()(change(eventOf(versionId, 'createSecret')))).rejects.toThrow(reason);
    expect(telemetry.metrics).toEqual(['TokenRefreshFailed']);
    expect(telemetry.flushes()).toBe(1);
  });

  it('is refused for a version that is not being rotated to', async () => {
    const { run, removePending, versionId } = await startAfter('createSecret');
    await removePending(versionId);
    await expect(run('finishSecret')).rejects.toThrow('is not the pending version of this rotation');
  });

  it('is refused while rotation is not enabled', async () => {
    const { parts, instance, eventOf } = await startRotation();
    const versions = {
      ...parts.versions,
      describe: async () => ({ ...(await parts.versions.describe()), rotationEnabled: false }),
    };
    await expect(instance({ versions })(eventOf(randomUUID(), 'createSecret'))).rejects.toThrow(
      'Rotation is not enabled',
    );
  });
});
