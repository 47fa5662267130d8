import { randomUUID } from 'node:crypto';
import { createTokenExchange } from '@payhooks/payment-service';
import { quickPolicy, startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { rotationSteps } from '../../../lambdas/rotation/rotation-event.ts';
import { createPaymentService } from '../../../lambdas/token-refresh/exchange.ts';
import {
  firstTokens,
  firstVersion,
  type RotationSetting,
  startRotation,
} from '../../doubles/token-rotation.ts';

/** A rotation that has begun and has run the steps up to the named one. */
async function startAfter(step: 'createSecret' | 'finishSecret' | undefined, setting: RotationSetting = {}) {
  const rotation = await startRotation(setting);
  const versionId = await rotation.begin();
  const run = (name: string) => rotation.createHandler()(rotation.eventOf(versionId, name));
  if (step === 'createSecret') await run('createSecret');
  if (step === 'finishSecret') await rotation.runSteps(versionId);
  return { ...rotation, versionId, run };
}

describe('a rotation of the token', () => {
  it('ends with a new refresh token and a working access token, and logs each step and no secret', async () => {
    const { read, labels, versionId, exchange, telemetry, expectOneValidToken } =
      await startAfter('finishSecret');
    const { tokens } = await read();
    expect(tokens).toMatchObject({ clientId: 'shop', clientSecret: 'shop-secret', replaces: firstVersion });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await labels()).toEqual({
      [firstVersion]: ['AWSPREVIOUS'],
      [versionId]: ['AWSPENDING', 'NEWEST_TOKEN', 'AWSCURRENT'],
    });
    await expect(exchange('first-refresh')).rejects.toMatchObject({ status: 400 });
    await expectOneValidToken();
    expect(telemetry.lines.map(({ fields }) => `${fields['step']} ${fields['outcome']}`)).toEqual([
      'createSecret renewed',
      'setSecret is complete',
      'testSecret works',
      'finishSecret is current',
    ]);
    expect(telemetry.lines[0]?.fields['version_id']).toBe(versionId);
    const log = JSON.stringify(telemetry.lines);
    for (const secret of [tokens.refreshToken, tokens.accessToken, 'shop-secret', 'first-refresh'])
      expect(log).not.toContain(secret);
  });

  it.each(['createSecret', 'finishSecret'])(
    'is cancelled by %s when an operator has stored another token in the meantime',
    async (step) => {
      const rotation = await startAfter('createSecret');
      const { run, begin, runSteps, read, exchange, labels, versionId } = rotation;
      const { refresh_token } = await exchange((await read('AWSPENDING')).tokens.refreshToken);
      await rotation.storeToken(refresh_token);
      await expect(run(step)).rejects.toThrow('so it is cancelled. Rotate again');
      expect((await read()).tokens.refreshToken).toBe(refresh_token);
      expect((await labels())[versionId]).toEqual(['NEWEST_TOKEN']);
      await runSteps(await begin());
      await rotation.expectOneValidToken();
    },
  );
});

describe('createSecret', () => {
  it.each([
    ['the secret has no value', null, /npx payhooks token set/],
    [
      'the service refuses the refresh token',
      { ...firstTokens, refreshToken: 'spent-long-ago' },
      /^refreshTokens failed with status 400.*npx payhooks token set/s,
    ],
  ])('fails with the command that stores a token when %s', async (_, tokens, message) => {
    const { run, telemetry } = await startAfter(undefined, { tokens });
    await expect(run('createSecret')).rejects.toThrow(message);
    expect(JSON.stringify(telemetry.lines)).not.toContain('spent-long-ago');
  });

  /** Exchanges as the simulator does, and changes its response. */
  async function startWithResponse(change: (json: Readonly<Record<string, unknown>>) => object) {
    const rotation = await startAfter(undefined);
    const { simulator, createHandler, versionId, eventOf } = rotation;
    const { baseUrl } = await startService(async ({ url, headers, body }) => {
      const contentType = headers['content-type'] ?? '';
      const { json } = await simulator.request(`POST ${url}`, { authorization: null, contentType, body });
      return { json: change(json) };
    });
    const handler = createHandler({ exchanges: createPaymentService(baseUrl).exchanges });
    return { ...rotation, runOne: (step: string) => handler(eventOf(versionId, step)) };
  }

  it.each([
    ['without token_type', { token_type: undefined }, '$.token_type is missing'],
    ['with an expires_in beyond every date', { expires_in: 1e15 }, '$.expires_in is a number'],
  ])('keeps the new tokens of a response %s, and logs what is wrong', async (_, change, wrong) => {
    const { runOne, read, telemetry, expectOneValidToken } = await startWithResponse((json) => ({
      ...json,
      ...change,
    }));
    for (const step of rotationSteps) await runOne(step);
    const { outcome } = telemetry.lines[0]?.fields ?? {};
    expect(outcome).toContain('renewed, although: In the response of refreshTokens (200)');
    expect(outcome).toContain(wrong);
    expect((await read()).tokens.expiresAt === undefined).toBe('expires_in' in change);
    await expectOneValidToken();
  });

  it('keeps the new refresh token of a response without an access token for the next rotation', async () => {
    const { runOne, runSteps, begin, labels, versionId, expectOneValidToken } = await startWithResponse(
      ({ access_token: _, ...json }) => json,
    );
    await runOne('createSecret');
    await expect(runOne('setSecret')).rejects.toThrow('returned no usable access token. Rotate again');
    expect((await labels())[versionId]).toEqual(['NEWEST_TOKEN']);
    await runSteps(await begin());
    await expectOneValidToken();
  });

  it('names the client and the token after a bare 401, which may be about either, and spends no token', async () => {
    const tokens = { ...firstTokens, clientSecret: 'wrong-secret' };
    const { run, exchange, telemetry } = await startAfter(undefined, { tokens });
    await expect(run('createSecret')).rejects.toMatchObject({ name: 'ExchangeRefusedError' });
    const { error_name, reason } = telemetry.lines.at(-1)?.fields ?? {};
    expect(error_name).toBe('ExchangeRefusedError (UnauthenticatedError)');
    expect(reason).toContain('is refused; the response does not show which.');
    expect(reason).toMatch(
      /If it differs: .*npx payhooks token set --keep-refresh-token .* If not: Authorise/,
    );
    expect(reason).not.toContain('is wrong');
    expect((await exchange('first-refresh')).token_type).toBe('Bearer');
  });

  const unexplained = /^refreshTokens failed with status \d+, "No\."\.$/;
  it.each<[number, string | undefined, RegExp, number]>([
    [400, 'invalid_client', /The client id or the client secret is wrong\. .*--keep-refresh-token/, 1],
    [401, 'invalid_client', /The client id or the client secret is wrong\./, 1],
    [401, 'invalid_grant', /The refresh token is spent, expired or withdrawn\. Authorise/, 1],
    [422, undefined, /The refresh token is spent/, 1],
    // These are about neither client nor token.
    [403, undefined, /the account may be inactive or its identity unverified\.$/, 1],
    [302, undefined, unexplained, 1],
    [429, undefined, unexplained, 1],
    [400, 'invalid_request', unexplained, 1],
    // Their outcome is unknown.
    [408, undefined, unexplained, 2],
    [500, undefined, unexplained, 2],
  ])(
    'explains the response %i with the error %s as %s, after %i requests',
    async (status, error, explained, requests) => {
      const { createHandler, eventOf, versionId, telemetry } = await startAfter(undefined);
      const { baseUrl, received } = await startService({ status, json: { error, message: 'No.' } });
      const policy = { ...quickPolicy, attemptsMax: 1 };
      const handler = createHandler({
        exchanges: (client) => createTokenExchange({ baseUrl, policy, ...client }),
      });
      await expect(handler(eventOf(versionId, 'createSecret'))).rejects.toThrow(explained);
      expect(received).toHaveLength(requests);
      expect(telemetry.lines.at(-1)?.fields['reason']).toMatch(explained);
    },
  );

  it('waits for another rotation that has spent its token and has not stored the new one yet', async () => {
    const { createHandler, runSteps, versionId, exchange, storeToken, expectOneValidToken } =
      await startAfter(undefined);
    const { refresh_token } = await exchange('first-refresh');
    await runSteps(versionId, createHandler({ pause: () => storeToken(refresh_token) }));
    await expectOneValidToken();
  });

  it.each([400, 401])(
    'uses the token of another rotation that has spent ours after a %i, once',
    async (status) => {
      const { createHandler, eventOf, versionId, exchange, storeToken } = await startAfter(undefined);
      const { baseUrl } = await startService({ status, json: { message: 'No.' } });
      const refused = createTokenExchange({ baseUrl, policy: quickPolicy, ...firstTokens });
      const sent: string[] = [];
      const handler = createHandler({
        exchanges: () => async (token) => {
          sent.push(token);
          await storeToken((await exchange(token)).refresh_token);
          return refused(token);
        },
      });
      const failed = handler(eventOf(versionId, 'createSecret'));
      await expect(failed).rejects.toMatchObject({ name: 'ExchangeRefusedError' });
      expect([sent.length, sent[0]]).toEqual([2, 'first-refresh']);
      expect(sent[1]).not.toBe('first-refresh');
    },
  );
});

it('setSecret fails when createSecret has not stored tokens', async () => {
  const { run } = await startAfter(undefined);
  await expect(run('setSecret')).rejects.toThrow('has no value, so createSecret did not fill it');
});

describe('testSecret', () => {
  it('succeeds when the service responds 403, because it recognised the token', async () => {
    const { createHandler, eventOf, versionId, telemetry } = await startAfter('createSecret');
    const { baseUrl } = await startService({ status: 403, json: { message: 'Unauthenticated' } });
    const { checkAccount } = createPaymentService(baseUrl);
    await createHandler({ checkAccount })(eventOf(versionId, 'testSecret'));
    expect(telemetry.lines.at(-1)?.fields['outcome']).toContain('is authentic');
  });

  it('releases a version whose new token gets a 401: the next rotation spends its refresh token', async () => {
    const rotation = await startAfter('createSecret');
    const { createHandler, eventOf, versionId, read, labels, begin, runSteps } = rotation;
    const { baseUrl } = await startService({ status: 401, json: { message: 'Unauthenticated' } });
    const { checkAccount } = createPaymentService(baseUrl);
    await expect(createHandler({ checkAccount })(eventOf(versionId, 'testSecret'))).rejects.toThrow(
      /refuses the access token .* \(401\)\. Its refresh token is kept as NEWEST_TOKEN\. Rotate again\.$/,
    );
    expect([(await read()).versionId, (await labels())[versionId]]).toEqual([firstVersion, ['NEWEST_TOKEN']]);
    await runSteps(await begin());
    await rotation.expectOneValidToken();
  });

  it('lets a rotation finish that continues after its access token has expired', async () => {
    let now = Date.now();
    const clock = () => now;
    const rotation = await startAfter('createSecret', { simulator: { clock } });
    const { createHandler, runSteps, versionId, read, exchange } = rotation;
    now = (await read('AWSPENDING')).tokens.expiresAt ?? 0;
    await runSteps(versionId, createHandler({ now: clock }));
    expect(rotation.telemetry.lines.map(({ fields }) => fields['outcome'])).toContain('has expired');
    expect((await read()).versionId).toBe(versionId);
    expect((await exchange((await read()).tokens.refreshToken)).token_type).toBe('Bearer');
  });

  it('succeeds for a version without tokens, with which Secrets Manager tests a schedule', async () => {
    const { run, telemetry } = await startAfter(undefined, { tokens: null });
    await run('testSecret');
    expect(telemetry.lines.at(-1)?.fields['outcome']).toBe('holds no access token to test');
  });
});

describe('rotateToken', () => {
  const unknownVersion = '00000000-0000-4000-8000-0000000000ff';
  it.each<[string, object | null, string]>([
    ['an event with an unknown step', { Step: 'setsecret' }, 'The step is "setsecret"; expected one of'],
    ['an event that is null', null, 'The event has no Step'],
    ['an event of another secret', { SecretId: 'arn:other' }, 'names another secret'],
    [
      'an event of an unknown version',
      { ClientRequestToken: unknownVersion },
      `no version ${unknownVersion}`,
    ],
    ['an event with an empty step', { Step: '' }, 'The event has no Step'],
  ])('refuses %s', async (_, change, reason) => {
    const { createHandler, eventOf, versionId, telemetry } = await startAfter(undefined);
    const event = change === null ? null : { ...eventOf(versionId, 'createSecret'), ...change };
    await expect(createHandler()(event)).rejects.toThrow(reason);
    expect(telemetry.lines).toMatchObject([{ level: 'error', fields: { error_name: 'RotationError' } }]);
  });

  it.each([
    ['an error of the SDK', Object.assign(new Error('hunter2'), { name: 'Throttled' }), 'Throttled'],
    ['a thrown text', 'hunter2', 'unknown'],
  ])('logs only the name of %s, which may quote a secret', async (_, thrown, error_name) => {
    const { parts, createHandler, eventOf, telemetry } = await startRotation();
    const describe = () => Promise.reject(thrown);
    const handler = createHandler({ versions: { ...parts.versions, describe } });
    await expect(handler(eventOf(firstVersion, 'setSecret'))).rejects.toBe(thrown);
    const fields = { step: 'setSecret', version_id: firstVersion, error_name };
    expect(telemetry.lines.map((line) => line.fields)).toEqual([fields]);
  });

  it('refuses a version that is not pending', async () => {
    const { run, removePending, versionId } = await startAfter('createSecret');
    await removePending(versionId);
    await expect(run('finishSecret')).rejects.toThrow('is not the pending version of this rotation');
  });

  it('refuses to run while rotation is not enabled', async () => {
    const { parts, createHandler, eventOf } = await startRotation();
    const describe = async () => ({ ...(await parts.versions.describe()), rotationEnabled: false });
    const handler = createHandler({ versions: { ...parts.versions, describe } });
    const event = eventOf(randomUUID(), 'createSecret');
    await expect(handler(event)).rejects.toThrow('Rotation is not enabled');
  });
});
