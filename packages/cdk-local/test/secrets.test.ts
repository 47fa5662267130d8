import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, vi } from 'vitest';
import { secretArn } from '../src/account.ts';
import { startSecretsManager } from '../src/emulators/secrets-manager.ts';
import type { RotationEvent } from '../src/emulators/secrets-rotation.ts';
import { failure } from '../src/functions/invocation.ts';
import { connect, success, temporaryDirectory } from './harness.ts';

const SecretId = secretArn('rotated');
const [first, second, third] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

async function startSecrets(file?: string) {
  const emulator = await startSecretsManager(file);
  return { emulator, ...connect(emulator, SecretsManager) };
}

describe('the Secrets Manager emulator', () => {
  it('finds a secret by its name, its ARN and its ARN without the suffix', async () => {
    const { client } = await startSecrets();
    await client.createSecret({ Name: 'secret', SecretString: 'open' });
    const { ARN } = await client.describeSecret({ SecretId: 'secret' });
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:secret-[0-9a-f]{6}$/);
    for (const id of ['secret', ARN, ARN?.slice(0, -7)]) {
      const found = { Name: 'secret', SecretString: 'open', VersionStages: ['AWSCURRENT'] };
      expect(await client.getSecretValue({ SecretId: id })).toMatchObject(found);
    }
  });

  it('keeps secrets over a restart in a file that only its owner can read', async () => {
    const file = join(await temporaryDirectory(), 'secrets.json');
    const before = await startSecrets(file);
    await before.client.createSecret({ Name: 'secret', SecretString: 'still here' });
    await before.stop();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('still here');
    const after = await startSecrets(file);
    expect((await after.client.getSecretValue({ SecretId: 'secret' })).SecretString).toBe('still here');
  });
});

describe('the rotation of a secret', () => {
  it('runs four steps in order, stays open after a failure, and only then accepts another', async () => {
    const { emulator, client } = await startSecrets();
    await client.createSecret({ Name: 'rotated', SecretString: 'old', ClientRequestToken: first });
    const log: string[] = [];
    let failures = 0;
    /** The smallest rotation function: sets a value and makes it current. */
    const steps: Record<string, (event: RotationEvent) => Promise<unknown>> = {
      createSecret: ({ ClientRequestToken }) =>
        client.putSecretValue({
          ...{ SecretId, ClientRequestToken, SecretString: 'new', VersionStages: ['AWSPENDING'] },
        }),
      async testSecret() {
        failures += 1;
        if (failures === 1) throw new Error('the first time');
      },
      async finishSecret({ ClientRequestToken }) {
        const { VersionId } = await client.getSecretValue({ SecretId });
        const move = { MoveToVersionId: ClientRequestToken, RemoveFromVersionId: VersionId };
        return client.updateSecretVersionStage({ SecretId, VersionStage: 'AWSCURRENT', ...move });
      },
    };
    emulator.rotateWith(SecretId, async (event) => {
      log.push(`${event.Step} ${event.ClientRequestToken.slice(-1)}`);
      return Promise.resolve(steps[event.Step]?.(event)).then(() => success, failure);
    });
    const rotate = (ClientRequestToken = '') => client.rotateSecret({ SecretId, ClientRequestToken });
    expect((await rotate(second)).VersionId).toBe(second);
    await expect.poll(() => log).toHaveLength(3);
    await expect(rotate(third)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    const described = () => client.describeSecret({ SecretId });
    await vi.waitFor(async () => expect((await described()).LastRotatedDate).toBeInstanceOf(Date), 20_000);
    expect(log.slice(3)).toEqual(['createSecret 2', 'setSecret 2', 'testSecret 2', 'finishSecret 2']);
    expect(await described()).toMatchObject({
      RotationEnabled: true,
      VersionIdsToStages: { [`${first}`]: ['AWSPREVIOUS'], [`${second}`]: ['AWSPENDING', 'AWSCURRENT'] },
    });
  });
});
