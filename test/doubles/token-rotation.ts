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
import { createTokenExchange } from '@payhooks/payment-service';
import type { SimulatorOptions } from '@payhooks/payment-service/simulator';
import { runSimulator } from '@payhooks/payment-service/testing';
import { createSecretVersions } from '../../lambdas/aws/secret-versions.ts';
import { parseTokenSecret, type TokenSecret, writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { createPaymentService } from '../../lambdas/token-refresh/payment-service.ts';
import { rotationSteps } from '../../lambdas/token-refresh/rotation-event.ts';
import { createTokenRefresh, type TokenRefreshParts } from '../../lambdas/token-refresh/token-refresh.ts';
import { startSecrets } from './secrets.ts';
import { recordTelemetry } from './telemetry.ts';

export const firstVersion = '00000000-0000-4000-8000-000000000001';

/** What the simulator's first account begins with; the access token is unknown to the secret. */
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

/** The simulator, a local Secrets Manager with the token secret, and the rotation function between them. */
export async function startRotation({ tokens = firstTokens, simulator: options }: RotationSetting = {}) {
  const simulator = await runSimulator(options);
  const { emulator, client } = await startSecrets();
  const secretArn = arnOf('token');
  const value =
    tokens === null ? {} : { SecretString: writeTokenSecret(tokens), ClientRequestToken: firstVersion };
  await client.send(new CreateSecretCommand({ Name: 'token', ...value }));

  const telemetry = recordTelemetry();
  const parts: TokenRefreshParts = {
    secretArn,
    versions: createSecretVersions(secretArn, client),
    ...createPaymentService(simulator.baseUrl),
    pause: async () => undefined,
    now: Date.now,
    telemetry,
  };
  /** A new instance of the function, which remembers nothing. */
  const instance = (change: Partial<TokenRefreshParts> = {}) => createTokenRefresh({ ...parts, ...change });
  const eventOf = (versionId: string, Step: string) => ({
    SecretId: secretArn,
    ClientRequestToken: versionId,
    Step,
  });

  // Rotations that a test begins stay where they are, until it runs their steps itself.
  emulator.rotateWith(secretArn, async () => failure(new Error('not run by the emulator')));
  const begin = async (versionId: string = randomUUID()): Promise<string> => {
    await client.send(new RotateSecretCommand({ SecretId: secretArn, ClientRequestToken: versionId }));
    return versionId;
  };
  const runAll = async (versionId: string, handler = instance()): Promise<void> => {
    for (const step of rotationSteps) await handler(eventOf(versionId, step));
  };
  const read = async (stage = 'AWSCURRENT') => {
    const version = { SecretId: secretArn, VersionStage: stage };
    const { VersionId, SecretString } = await client.send(new GetSecretValueCommand(version));
    return { versionId: VersionId ?? '', tokens: parseTokenSecret(SecretString ?? '') };
  };
  const labels = async () =>
    (await client.send(new DescribeSecretCommand({ SecretId: secretArn }))).VersionIdsToStages ?? {};
  /** What people do about "A previous rotation isn't complete". */
  const removePending = async (versionId: string): Promise<void> => {
    const move = { VersionStage: 'AWSPENDING', RemoveFromVersionId: versionId };
    await client.send(new UpdateSecretVersionStageCommand({ SecretId: secretArn, ...move }));
  };
  const exchange = (refreshToken: string) =>
    createTokenExchange({ baseUrl: simulator.baseUrl, ...firstTokens })(refreshToken);
  /** What a person does, in the console or by `payhooks token set`. */
  const putByHand = async (refreshToken: string): Promise<void> => {
    const SecretString = writeTokenSecret({ ...firstTokens, refreshToken });
    await client.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString }));
  };
  return {
    ...{ simulator, emulator, client, telemetry, secretArn, parts, putByHand },
    ...{ instance, eventOf, begin, runAll, read, labels, removePending, exchange },
  };
}

export type StartedRotation = Awaited<ReturnType<typeof startRotation>>;
