import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { secretArn as arnOf, failure } from '@payhooks/cdk-local/emulators';
import type { SimulatorOptions } from '@payhooks/payment-service/simulator';
import { runSimulator } from '@payhooks/payment-service/testing';
import { expect } from 'vitest';
import { createSecretVersions } from '../../lambdas/aws/secret-versions.ts';
import { parseTokenSecret, type TokenSecret, writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { rotationSteps } from '../../lambdas/rotation/rotation-event.ts';
import { createPaymentService } from '../../lambdas/token-refresh/exchange.ts';
import { createTokenRefresh, type TokenRefreshParts } from '../../lambdas/token-refresh/token-refresh.ts';
import { startSecrets } from './secrets.ts';
import { recordTelemetry } from './telemetry.ts';

export const firstVersion = '00000000-0000-4000-8000-000000000001';

/** The tokens of the simulator's first account, without its access token. */
export const firstTokens: TokenSecret = {
  clientId: 'shop',
  clientSecret: 'shop-secret',
  refreshToken: 'first-refresh',
};

export interface RotationSetting {
  /** `null` is a secret without a value. */
  readonly tokens?: TokenSecret | null;
  readonly simulator?: Partial<SimulatorOptions>;
}

/** The simulator, a local Secrets Manager with the token secret, and the rotation function. */
export async function startRotation({ tokens = firstTokens, simulator: options }: RotationSetting = {}) {
  const simulator = await runSimulator(options);
  const { emulator, client } = await startSecrets();
  const SecretId = arnOf('token');
  const value =
    tokens === null ? {} : { SecretString: writeTokenSecret(tokens), ClientRequestToken: firstVersion };
  await client.send(new CreateSecretCommand({ Name: 'token', ...value }));
  // Tests run the steps themselves.
  emulator.rotateWith(SecretId, async () => failure(new Error('not run by the emulator')));

  const telemetry = recordTelemetry();
  const parts: TokenRefreshParts = {
    secretArn: SecretId,
    versions: createSecretVersions(SecretId, client),
    ...createPaymentService(simulator.baseUrl),
    pause: async () => undefined,
    now: Date.now,
    telemetry,
  };
  const exchange = parts.exchanges(firstTokens);
  /** A new instance of the function, with nothing in memory. */
  const createHandler = (change: Partial<TokenRefreshParts> = {}) =>
    createTokenRefresh({ ...parts, ...change });
  const eventOf = (versionId: string, Step: string) => ({ SecretId, ClientRequestToken: versionId, Step });
  const begin = async (): Promise<string> => {
    const versionId = randomUUID();
    await client.send(new RotateSecretCommand({ SecretId, ClientRequestToken: versionId }));
    return versionId;
  };
  const runSteps = async (versionId: string, handler = createHandler()): Promise<void> => {
    for (const step of rotationSteps) await handler(eventOf(versionId, step));
  };
  const read = async (stage = 'AWSCURRENT') => {
    const version = { SecretId, VersionStage: stage };
    const { VersionId, SecretString } = await client.send(new GetSecretValueCommand(version));
    return { versionId: VersionId ?? '', tokens: parseTokenSecret(SecretString ?? '') };
  };
  const labels = async () =>
    (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages ?? {};
  /** What an operator does about "A previous rotation isn't complete". */
  const removePending = async (versionId: string): Promise<void> => {
    const move = { VersionStage: 'AWSPENDING', RemoveFromVersionId: versionId };
    await client.send(new UpdateSecretVersionStageCommand({ SecretId, ...move }));
  };
  /** What `payhooks token set` does. */
  const storeToken = async (refreshToken: string): Promise<void> => {
    const SecretString = writeTokenSecret({ ...firstTokens, refreshToken });
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  };
  const expectAccess = async (accessToken = ''): Promise<void> => {
    const authorization = `Bearer ${accessToken}`;
    expect((await simulator.request('GET /api/v2/account/me', { authorization })).status).toBe(200);
  };
  /** The current access token works, and the service accepts the current refresh token once. */
  const expectOneValidToken = async (): Promise<void> => {
    const { tokens } = await read();
    await expectAccess(tokens.accessToken);
    expect((await exchange(tokens.refreshToken)).token_type).toBe('Bearer');
    await expect(exchange(tokens.refreshToken)).rejects.toMatchObject({ status: 400 });
  };
  return {
    ...{ simulator, telemetry, parts, exchange, createHandler, eventOf, begin, runSteps, read, labels },
    ...{ removePending, storeToken, expectAccess, expectOneValidToken },
  };
}
