import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { secretArn as arnOf, failure } from '@payhooks/cdk-local/emulators';
import { expect, it } from 'vitest';
import { createSecretVersions } from '../../../lambdas/aws/secret-versions.ts';
import { rotationSteps } from '../../../lambdas/rotation/rotation-event.ts';
import { createSealRotation } from '../../../lambdas/seal/seal-rotation.ts';
import { sealSecret } from '../../doubles/seal.ts';
import { startSecrets } from '../../doubles/secrets.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const SecretId = arnOf('seal');

/** The rotation of a secret with this text, in a local Secrets Manager. */
async function setUp(SecretString = sealSecret) {
  const { emulator, client } = await startSecrets('seal');
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  emulator.rotateWith(SecretId, async () => failure(new Error('not run by the emulator')));
  const telemetry = recordTelemetry();
  const rotate = createSealRotation({
    secretArn: SecretId,
    versions: createSecretVersions(SecretId, client),
    newKey: () => '1'.repeat(64),
    telemetry,
  });
  const ClientRequestToken = randomUUID();
  await client.send(new RotateSecretCommand({ SecretId, ClientRequestToken }));
  return {
    telemetry,
    run: (Step: string) => rotate({ SecretId, ClientRequestToken, Step }),
    current: async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString,
  };
}

it('a rotation of the seal secret moves each key one place on, also when its steps are repeated', async () => {
  const { run, current } = await setUp();
  for (const step of rotationSteps) for (const _ of [1, 2]) await run(step);
  expect(await current()).toBe('1'.repeat(64) + sealSecret.slice(0, 128));
});

it('a test of a new schedule of the seal secret succeeds before the version has a value', async () => {
  const { run, current } = await setUp();
  await run('testSecret');
  expect(await current()).toBe(sealSecret);
});

it('a rotation of a seal secret that is damaged fails, and quotes nothing', async () => {
  const { run, current, telemetry } = await setUp('damaged');
  await expect(run('createSecret')).rejects.toThrow(
    'The seal secret is not 192 lowercase hexadecimal digits.',
  );
  expect(JSON.stringify(telemetry.lines)).not.toContain('damaged');
  expect(await current()).toBe('damaged');
});

it('a rotation of the seal secret does not end with a version without a value', async () => {
  const { run, current } = await setUp();
  await expect(run('finishSecret')).rejects.toThrow('The version has no value; rotate again.');
  expect(await current()).toBe(sealSecret);
});
