import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, vi } from 'vitest';
import { startSecrets } from '../../../test/doubles/secrets.ts';
import { secretArn as arnOf } from '../src/emulators/secrets-manager.ts';
import type { RotationEvent } from '../src/emulators/secrets-rotation.ts';
import { failure, type Invocation } from '../src/functions/invocation.ts';

const first = '00000000-0000-4000-8000-000000000001';
const second = '00000000-0000-4000-8000-000000000002';
const third = '00000000-0000-4000-8000-000000000003';
const SecretId = arnOf('rotated');
const done: Invocation = { ok: true, payload: 'null' };

type Step = (event: RotationEvent, client: SecretsManagerClient) => Promise<unknown>;

/** What the smallest rotation function does, which puts in a value and makes it current. */
const smallest: Readonly<Record<string, Step>> = {
  createSecret: ({ ClientRequestToken }, client) =>
    client.send(
      new PutSecretValueCommand({
        ...{ SecretId, ClientRequestToken, SecretString: 'new', VersionStages: ['AWSPENDING'] },
      }),
    ),
  finishSecret: ({ ClientRequestToken }, client) =>
    client.send(
      new UpdateSecretVersionStageCommand({
        ...{ SecretId, VersionStage: 'AWSCURRENT' },
        ...{ MoveToVersionId: ClientRequestToken, RemoveFromVersionId: first },
      }),
    ),
};

async function start(steps: Readonly<Record<string, Step>> = smallest) {
  const { emulator, client } = await startSecrets();
  const value = { SecretString: 'old', ClientRequestToken: first };
  await client.send(new CreateSecretCommand({ Name: 'rotated', ...value }));
  const log: string[] = [];
  emulator.rotateWith(SecretId, async (event) => {
    log.push(`${event.Step} ${event.ClientRequestToken.slice(-1)}`);
    try {
      await steps[event.Step]?.(event, client);
      return done;
    } catch (error) {
      return failure(error);
    }
  });
  const rotate = (ClientRequestToken: string) =>
    client.send(new RotateSecretCommand({ SecretId, ClientRequestToken }));
  const describeIt = () => client.send(new DescribeSecretCommand({ SecretId }));
  return { emulator, client, log, rotate, describeIt };
}

const failing: Step = async () => {
  throw new Error('this step fails');
};

describe('a rotation', () => {
  it('runs the four steps in order for the version that the answer names', async () => {
    const { rotate, describeIt, log } = await start();
    expect((await rotate(second)).VersionId).toBe(second);
    await vi.waitFor(async () => expect((await describeIt()).LastRotatedDate).toBeInstanceOf(Date));
    expect(log).toEqual(['createSecret 2', 'setSecret 2', 'testSecret 2', 'finishSecret 2']);
    expect(await describeIt()).toMatchObject({
      RotationEnabled: true,
      VersionIdsToStages: { [first]: ['AWSPREVIOUS'], [second]: ['AWSPENDING', 'AWSCURRENT'] },
    });
  });

  it('begins with a version that has the label and no value', async () => {
    const { rotate, describeIt, client } = await start({ createSecret: failing });
    await rotate(second);
    expect((await describeIt()).VersionIdsToStages).toEqual({
      [first]: ['AWSCURRENT'],
      [second]: ['AWSPENDING'],
    });
    for (const which of [{ VersionStage: 'AWSPENDING' }, { VersionId: second }]) {
      await expect(client.send(new GetSecretValueCommand({ SecretId, ...which }))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    }
  });

  it('that failed stays open: another one is refused, and it is tried again', async () => {
    let failures = 0;
    const { rotate, describeIt, log } = await start({
      ...smallest,
      async testSecret() {
        failures += 1;
        if (failures === 1) throw new Error('the first time');
      },
    });
    await rotate(second);
    await vi.waitFor(() => expect(log).toHaveLength(3));
    await expect(rotate(third)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    await vi.waitFor(async () => expect((await describeIt()).LastRotatedDate).toBeInstanceOf(Date));
    expect(log.slice(3)).toEqual(['createSecret 2', 'setSecret 2', 'testSecret 2', 'finishSecret 2']);
    expect((await describeIt()).VersionIdsToStages?.[second]).toContain('AWSCURRENT');
  });

  it('runs once for two requests with one token', async () => {
    const held = Promise.withResolvers<void>();
    const { rotate, log, describeIt } = await start({ ...smallest, setSecret: () => held.promise });
    await rotate(second);
    await rotate(second);
    held.resolve();
    await vi.waitFor(async () => expect((await describeIt()).LastRotatedDate).toBeInstanceOf(Date));
    expect(log).toHaveLength(4);
  });

  it('can be followed by another one', async () => {
    const { rotate, describeIt, client } = await start({
      createSecret: async (event, client) => smallest['createSecret']?.(event, client),
      finishSecret: async ({ ClientRequestToken }) => {
        const { VersionId } = await client.send(new GetSecretValueCommand({ SecretId }));
        const move = { MoveToVersionId: ClientRequestToken, RemoveFromVersionId: VersionId };
        const VersionStage = 'AWSCURRENT';
        await client.send(new UpdateSecretVersionStageCommand({ SecretId, VersionStage, ...move }));
      },
    });
    const isCurrent = async (id: string) =>
      expect((await describeIt()).VersionIdsToStages?.[id]).toContain('AWSCURRENT');
    await rotate(second);
    await vi.waitFor(() => isCurrent(second));
    await vi.waitFor(() => rotate(third));
    await vi.waitFor(() => isCurrent(third));
  });

  it('waits for the schedule when it is not asked for now, which local mode has none of', async () => {
    const { client, log, describeIt } = await start();
    const RotationLambdaARN = 'arn:aws:lambda:us-east-1:000000000000:function:rotation';
    await client.send(new RotateSecretCommand({ SecretId, RotateImmediately: false, RotationLambdaARN }));
    expect(log).toEqual([]);
    expect(await describeIt()).toMatchObject({
      RotationLambdaARN,
      VersionIdsToStages: { [first]: ['AWSCURRENT'] },
    });
  });

  it('is refused for a secret that nothing rotates', async () => {
    const { client, describeIt } = await start();
    await client.send(new CreateSecretCommand({ Name: 'plain', SecretString: 'x' }));
    await expect(client.send(new RotateSecretCommand({ SecretId: 'plain' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'No Lambda rotation function ARN is associated with this secret.',
    });
    const { RotationEnabled } = await client.send(new DescribeSecretCommand({ SecretId: 'plain' }));
    expect([RotationEnabled, (await describeIt()).RotationEnabled]).toEqual([false, true]);
  });

  it('ends with the step that runs when the emulator closes', async () => {
    const held = Promise.withResolvers<void>();
    const { emulator, rotate, log } = await start({ ...smallest, setSecret: () => held.promise });
    await rotate(second);
    await vi.waitFor(() => expect(log).toEqual(['createSecret 2', 'setSecret 2']));
    const closed = emulator.close();
    held.resolve();
    await closed;
    expect(log).toHaveLength(2);
  });

  it('fails like one whose function fails when the function cannot be run at all', async () => {
    const { emulator, rotate, log } = await start();
    emulator.rotateWith(SecretId, async ({ ClientRequestToken }) => {
      log.push(ClientRequestToken);
      throw new Error('there is no such function');
    });
    await rotate(second);
    await vi.waitFor(() => expect(log).toEqual([second]));
    await expect(rotate(third)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  });
});
