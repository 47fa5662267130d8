import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { first, second, startSecrets, temporaryDirectory, third } from './harness.ts';

const SecretId = 'secret';

/** A Secrets Manager with one secret; without a value unless one is given. */
async function start(value?: string) {
  const { client } = await startSecrets();
  const version = value === undefined ? {} : { SecretString: value, ClientRequestToken: first };
  await client.createSecret({ Name: SecretId, ...version });
  const put = (ClientRequestToken: string, SecretString: string, ...VersionStages: string[]) =>
    client.putSecretValue({
      ...{ SecretId, ClientRequestToken, SecretString },
      ...(VersionStages.length > 0 && { VersionStages }),
    });
  const stages = async () => (await client.describeSecret({ SecretId })).VersionIdsToStages;
  return { client, put, stages };
}

const read = (client: SecretsManager, id: string | undefined = SecretId) =>
  client.getSecretValue({ SecretId: id });

describe('the Secrets Manager emulator', () => {
  it('finds a secret by its name, its ARN and its ARN without the suffix', async () => {
    const { client } = await start('open');
    const { ARN } = await client.describeSecret({ SecretId });
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:secret-[0-9a-f]{6}$/);
    for (const id of [SecretId, ARN, ARN?.slice(0, -7)]) {
      const found = { Name: SecretId, SecretString: 'open', VersionStages: ['AWSCURRENT'] };
      expect(await read(client, id)).toMatchObject(found);
    }
  });

  it('moves AWSCURRENT to a new value, and AWSPREVIOUS to the one before', async () => {
    const { put, stages } = await start('one');
    await put(second, 'two');
    await put(third, 'three');
    expect(await stages()).toEqual({ [second]: ['AWSPREVIOUS'], [third]: ['AWSCURRENT'] });
  });

  it('accepts the same value twice under one token, and refuses another value', async () => {
    const { put } = await start();
    await put(second, 'two');
    await put(second, 'two');
    await expect(put(second, 'other')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  const SecretString = 'x'.repeat(65_537);
  it.each([
    ['getSecretValue', 'a secret that does not exist', { SecretId: 'nowhere' }, 'ResourceNotFound'],
    ['getSecretValue', 'a secret without a value', { SecretId }, 'ResourceNotFound'],
    ['putSecretValue', 'a value above 64 KB', { SecretId, SecretString }, 'InvalidParameter'],
  ] as const)('refuses in %s %s', async (operation, _, parameters, name) => {
    const { client } = await start();
    const refused = (client[operation] as (given: object) => Promise<unknown>)(parameters);
    await expect(refused).rejects.toMatchObject({ name: `${name}Exception` });
  });

  it('keeps secrets over a restart in a file that only its owner can read', async () => {
    const file = join(await temporaryDirectory(), 'secrets.json');
    const before = await startSecrets(file);
    await before.client.createSecret({ Name: SecretId, SecretString: 'still here' });
    await before.stop();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('still here');
    const after = await startSecrets(file);
    expect((await read(after.client)).SecretString).toBe('still here');
  });
});
