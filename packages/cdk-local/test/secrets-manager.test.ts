import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../src/account.ts';
import type { Emulator } from '../src/emulators/dynamodb.ts';
import { startSecretsManager } from '../src/emulators/secrets-manager.ts';

const tokens = {
  first: '00000000-0000-4000-8000-000000000001',
  second: '00000000-0000-4000-8000-000000000002',
  third: '00000000-0000-4000-8000-000000000003',
};

function createClient({ endpoint }: Emulator): SecretsManagerClient {
  return new SecretsManagerClient({ endpoint, region, credentials, maxAttempts: 1 });
}

let emulator: Emulator;
let client: SecretsManagerClient;
let count = 0;

beforeAll(async () => {
  emulator = await startSecretsManager();
  client = createClient(emulator);
});
afterAll(async () => {
  client.destroy();
  await emulator.close();
});

async function createSecret(value?: string): Promise<string> {
  count += 1;
  const Name = `secret-${count}`;
  await client.send(
    new CreateSecretCommand({
      Name,
      ...(value === undefined ? {} : { SecretString: value, ClientRequestToken: tokens.first }),
    }),
  );
  return Name;
}

async function stages(SecretId: string): Promise<Record<string, string[]> | undefined> {
  return (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;
}

async function put(SecretId: string, token: string, ...labels: string[]): Promise<void> {
  await client.send(
    new PutSecretValueCommand({
      SecretId,
      SecretString: `value of ${token}`,
      ClientRequestToken: token,
      ...(labels.length === 0 ? {} : { VersionStages: labels }),
    }),
  );
}

describe('a secret', () => {
  it('is found by its name, its ARN and its ARN without the suffix', async () => {
    const Name = await createSecret('open');
    const { ARN } = await client.send(new DescribeSecretCommand({ SecretId: Name }));
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:secret-\d+-[0-9a-f]{6}$/);
    for (const SecretId of [Name, ARN, ARN?.slice(0, -7)]) {
      const found = await client.send(new GetSecretValueCommand({ SecretId }));
      expect(found).toMatchObject({ Name, SecretString: 'open', VersionStages: ['AWSCURRENT'] });
    }
  });

  it('keeps bytes', async () => {
    const Name = await createSecret();
    await client.send(
      new PutSecretValueCommand({ SecretId: Name, SecretBinary: new Uint8Array([0, 255, 10]) }),
    );
    const { SecretBinary, SecretString } = await client.send(new GetSecretValueCommand({ SecretId: Name }));
    expect([...(SecretBinary ?? [])]).toEqual([0, 255, 10]);
    expect(SecretString).toBeUndefined();
  });

  it('moves AWSCURRENT with a new value and leaves AWSPREVIOUS behind', async () => {
    const Name = await createSecret('one');
    await put(Name, tokens.second);
    await put(Name, tokens.third);
    expect(await stages(Name)).toEqual({ [tokens.second]: ['AWSPREVIOUS'], [tokens.third]: ['AWSCURRENT'] });
  });

  it('keeps a pending value apart until its label is moved', async () => {
    const Name = await createSecret('one');
    await put(Name, tokens.second, 'AWSPENDING');
    expect((await client.send(new GetSecretValueCommand({ SecretId: Name }))).SecretString).toBe('one');
    const move = { SecretId: Name, VersionStage: 'AWSCURRENT', MoveToVersionId: tokens.second };
    await client.send(new UpdateSecretVersionStageCommand({ ...move, RemoveFromVersionId: tokens.first }));
    expect(await stages(Name)).toEqual({
      [tokens.first]: ['AWSPREVIOUS'],
      [tokens.second]: ['AWSPENDING', 'AWSCURRENT'],
    });
  });

  it('takes the same value twice under one token, and no other value', async () => {
    const Name = await createSecret();
    await put(Name, tokens.second);
    await put(Name, tokens.second);
    const other = { SecretId: Name, SecretString: 'other', ClientRequestToken: tokens.second };
    await expect(client.send(new PutSecretValueCommand(other))).rejects.toMatchObject({
      name: 'ResourceExistsException',
    });
  });
});

describe('a refusal', () => {
  const refused = (answer: Promise<unknown>, name: string): Promise<void> =>
    expect(answer).rejects.toMatchObject({ name });

  it('of a secret that is not there is a ResourceNotFoundException', async () => {
    await refused(
      client.send(new GetSecretValueCommand({ SecretId: 'nowhere' })),
      'ResourceNotFoundException',
    );
  });

  it('of a value that is not there is a ResourceNotFoundException', async () => {
    await refused(
      client.send(new GetSecretValueCommand({ SecretId: await createSecret() })),
      'ResourceNotFoundException',
    );
  });

  it('of a second secret of one name is a ResourceExistsException', async () => {
    await refused(
      client.send(new CreateSecretCommand({ Name: await createSecret('one') })),
      'ResourceExistsException',
    );
  });

  it('of a value above 64 KB is an InvalidParameterException', async () => {
    const SecretString = 'x'.repeat(65_537);
    await refused(
      client.send(new PutSecretValueCommand({ SecretId: await createSecret(), SecretString })),
      'InvalidParameterException',
    );
  });

  it('of a move that does not name the present holder is an InvalidParameterException', async () => {
    const SecretId = await createSecret('one');
    await put(SecretId, tokens.second, 'AWSPENDING');
    const move = { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId: tokens.second };
    await refused(client.send(new UpdateSecretVersionStageCommand(move)), 'InvalidParameterException');
  });

  it('of an operation that is not emulated says so', async () => {
    const headers = { 'x-amz-target': 'secretsmanager.DeleteSecret' };
    const response = await fetch(emulator.endpoint, { method: 'POST', headers, body: '{}' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { __type: 'UnknownOperationException', message: 'DeleteSecret is not emulated.' },
    ]);
  });
});

describe('a secrets file', () => {
  let directory: string;
  afterEach(() => rm(directory, { recursive: true }));

  it('brings secrets back after a restart and is for its owner only', async () => {
    directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    const file = join(directory, 'secrets.json');
    const first = await startSecretsManager(file);
    const writer = createClient(first);
    await writer.send(new CreateSecretCommand({ Name: 'kept', SecretString: 'still here' }));
    writer.destroy();
    await first.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('still here');

    const second = await startSecretsManager(file);
    const reader = createClient(second);
    const { SecretString } = await reader.send(new GetSecretValueCommand({ SecretId: 'kept' }));
    reader.destroy();
    await second.close();
    expect(SecretString).toBe('still here');
  });
});
