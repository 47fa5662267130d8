import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { credentials, region } from '@payhooks/cdk-local';
import { failure, secretArn } from '@payhooks/cdk-local/emulators';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { createSecretRotation, createSecretVersions } from '../../../lambdas/aws/secret-versions.ts';
import { startSecrets } from '../../doubles/secrets.ts';

const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const arn = secretArn('token');

/** An empty secret, and both adapters over it. */
async function setUp() {
  const { emulator, client } = await startSecrets('token');
  const versions = createSecretVersions(arn, client);
  const rotation = createSecretRotation(arn, client);
  const enable = () => emulator.rotateWith(arn, async () => failure(new Error('not run by the emulator')));
  const stages = async () => Object.fromEntries((await versions.describe()).stages);
  return { ...versions, ...rotation, enable, stages };
}

/** Both adapters over a Secrets Manager that always responds like this. */
async function respondWith(response: Scripted) {
  const { baseUrl: endpoint, received } = await startService(response);
  const client = new SecretsManagerClient({ endpoint, region, credentials, maxAttempts: 1 });
  const [versions, rotation] = [createSecretVersions(arn, client), createSecretRotation(arn, client)];
  return { versions, rotation, received };
}

describe('an error of Secrets Manager', () => {
  it.each(['AccessDeniedException', 'DecryptionFailure', 'InvalidRequestException'])(
    'is thrown by every call: %s',
    async (__type) => {
      const { versions, rotation } = await respondWith({ status: 400, json: { __type, message: 'No.' } });
      const version = { versionId: first, text: 'one' };
      for (const call of [
        ...[versions.describe(), versions.read({ versionId: first }), versions.putPending(version)],
        ...[versions.makeCurrent({ to: second, from: first }), rotation.readTokens(), rotation.rotate()],
      ])
        await expect(call).rejects.toMatchObject({ name: __type });
    },
  );

  it.each<[string, Scripted]>([
    ['is binary', { json: { VersionId: first, SecretBinary: 'b25l' } }],
    ['has no version', { json: { SecretString: '{}' } }],
  ])('is thrown for a secret that %s', async (_, response) => {
    const { versions, rotation } = await respondWith(response);
    await expect(versions.read({ versionId: first })).rejects.toThrow(
      new TypeError('The secret is binary; expected text.'),
    );
    await expect(rotation.readTokens()).rejects.toThrow(
      new TypeError('The token secret is binary; expected text.'),
    );
  });
});

describe('the token secret', () => {
  const tokens = {
    ...{ client_id: 'shop', client_secret: 's', refresh_token: 'r', access_token: 'a' },
    expires_at: '2026-11-21T10:00:00Z',
  };

  it('has no tokens before its first value', async () => {
    expect(await (await setUp()).readTokens()).toBeUndefined();
  });

  it('shows the access token of its current version, when it expires, and the version', async () => {
    const json = { VersionId: first, SecretString: JSON.stringify(tokens) };
    const { rotation, received } = await respondWith({ json });
    expect(await rotation.readTokens()).toEqual({
      ...{ versionId: first, accessToken: 'a', expiresAt: Date.parse('2026-11-21T10:00:00Z') },
    });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(new GetSecretValueCommand({ SecretId: arn }).input);
  });

  it('needs no second rotation while one is under way, and fails when it cannot be rotated', async () => {
    const { rotate, enable, stages } = await setUp();
    await expect(rotate()).rejects.toMatchObject({ name: 'InvalidRequestException' });
    enable();
    await rotate();
    const before = await stages();
    expect(Object.values(before)).toEqual([['AWSPENDING']]);
    await rotate();
    expect(await stages()).toEqual(before);
  });

  it('is not taken for one that is being rotated because of the text of another error', async () => {
    const json = { __type: 'AccessDeniedException', message: 'not for a previous rotation' };
    const { rotation } = await respondWith({ status: 400, json });
    await expect(rotation.rotate()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
