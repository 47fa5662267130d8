import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, vi } from 'vitest';
import { secretArn } from '../src/account.ts';
import type { RotationEvent } from '../src/emulators/secrets-rotation.ts';
import { failure } from '../src/functions/invocation.ts';
import { first, second, startSecrets, success, third } from './harness.ts';

const SecretId = secretArn('rotated');

type Steps = Record<string, (event: RotationEvent, client: SecretsManager) => Promise<unknown>>;

/** The smallest rotation function: sets a value and makes it current. */
const smallest: Steps = {
  createSecret({ ClientRequestToken }, client) {
    const VersionStages = ['AWSPENDING'];
    return client.putSecretValue({ SecretId, ClientRequestToken, SecretString: 'new', VersionStages });
  },
  async finishSecret({ ClientRequestToken }, client) {
    const { VersionId } = await client.getSecretValue({ SecretId });
    const move = { MoveToVersionId: ClientRequestToken, RemoveFromVersionId: VersionId };
    return client.updateSecretVersionStage({ SecretId, VersionStage: 'AWSCURRENT', ...move });
  },
};

async function start(steps: Steps = smallest) {
  const { emulator, client } = await startSecrets();
  await client.createSecret({ Name: 'rotated', SecretString: 'old', ClientRequestToken: first });
  const log: string[] = [];
  emulator.rotateWith(SecretId, async (event) => {
    log.push(`${event.Step} ${event.ClientRequestToken.slice(-1)}`);
    return Promise.resolve(steps[event.Step]?.(event, client)).then(() => success, failure);
  });
  const rotate = (ClientRequestToken: string) => client.rotateSecret({ SecretId, ClientRequestToken });
  const describeSecret = () => client.describeSecret({ SecretId });
  const rotated = () =>
    vi.waitFor(async () => expect((await describeSecret()).LastRotatedDate).toBeInstanceOf(Date), 20_000);
  return { emulator, client, log, rotate, rotated, describeSecret };
}

const allSteps = ['createSecret 2', 'setSecret 2', 'testSecret 2', 'finishSecret 2'];

describe('the rotation of a secret', () => {
  it('runs the four steps in order for the version in the response', async () => {
    const { rotate, rotated, describeSecret, log } = await start();
    expect((await rotate(second)).VersionId).toBe(second);
    await rotated();
    expect(log).toEqual(allSteps);
    expect(await describeSecret()).toMatchObject({
      RotationEnabled: true,
      VersionIdsToStages: { [first]: ['AWSPREVIOUS'], [second]: ['AWSPENDING', 'AWSCURRENT'] },
    });
  });

  it('begins with a version that has the label and no value', async () => {
    const { rotate, describeSecret, client } = await start({
      createSecret: () => Promise.reject(new Error('this step fails')),
    });
    await rotate(second);
    const stages = { [first]: ['AWSCURRENT'], [second]: ['AWSPENDING'] };
    expect((await describeSecret()).VersionIdsToStages).toEqual(stages);
    for (const which of [{ VersionStage: 'AWSPENDING' }, { VersionId: second }]) {
      await expect(client.getSecretValue({ SecretId, ...which })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    }
  });

  it('stays open after a failure: another rotation is refused, and the open one runs again', async () => {
    let failures = 0;
    const { rotate, rotated, describeSecret, log } = await start({
      ...smallest,
      async testSecret() {
        failures += 1;
        if (failures === 1) throw new Error('the first time');
      },
    });
    await rotate(second);
    await expect.poll(() => log).toHaveLength(3);
    await expect(rotate(third)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    await rotated();
    expect(log.slice(3)).toEqual(allSteps);
    expect((await describeSecret()).VersionIdsToStages?.[second]).toContain('AWSCURRENT');
  });

  it('is refused for a secret without a rotation function', async () => {
    const { client, describeSecret } = await start();
    await client.createSecret({ Name: 'plain', SecretString: 'x' });
    await expect(client.rotateSecret({ SecretId: 'plain' })).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'No Lambda rotation function ARN is associated with this secret.',
    });
    const { RotationEnabled } = await client.describeSecret({ SecretId: 'plain' });
    expect([RotationEnabled, (await describeSecret()).RotationEnabled]).toEqual([false, true]);
  });
});
