import { setTimeout as pause } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { failure } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

describe('payhooks token refresh', () => {
  it('waits on when a rotation leaves the token unchanged', async () => {
    const text = (accessToken: string) =>
      writeTokenSecret({ clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'first', accessToken });
    const stack = await startLocalStack({ token: text('former') });
    const put = (accessToken: string) => stack.putSecret('token', text(accessToken));
    stack.secrets.rotateWith(stack.tokenSecretArn, async () => {
      await put('former');
      return failure(new Error('A copy was made current, and nothing was renewed.'));
    });
    const refresh = runPayhooks(['token', 'refresh', '--local', stack.url, '--yes']);
    let ended = false;
    void refresh.then(() => {
      ended = true;
    });
    // Longer than two looks of the command at the secret.
    await pause(2_500);
    expect(ended).toBe(false);
    await put('another');
    expect(await refresh).toMatchObject({ code: 0, stdout: expect.stringContaining('The token is renewed') });
  });

  it('names the setting that a stack without OAuth needs', async () => {
    const { url } = await startLocalStack({ keys: 'pri_live' });
    const { code, stderr } = await runPayhooks(['token', 'refresh', '--local', url, '--yes']);
    expect([code, stderr.includes('set paymentServiceAuthentication=oauth in cdk.json')]).toEqual([1, true]);
  });
});

describe('payhooks token set', () => {
  const env = {
    PAYHOOKS_OAUTH_CLIENT_ID: 'shop',
    PAYHOOKS_OAUTH_CLIENT_SECRET: 'shop-secret',
    PAYHOOKS_OAUTH_REFRESH_TOKEN: 'first-refresh',
  };
  const written = '{"client_id":"shop","client_secret":"shop-secret","refresh_token":"first-refresh"}';

  it('stores the first token from the environment', async () => {
    const stack = await startLocalStack({ token: null });
    const { code, stdout, stderr } = await spawnPayhooks(['token', 'set', '--local', stack.url], { env });
    expect([code, await stack.secret('token')]).toEqual([0, written]);
    expect(stdout + stderr).not.toMatch(/shop-secret|first-refresh/);
  });

  it('asks before it replaces a token', async () => {
    const stack = await startLocalStack({ token: written.replace('first', 'other') });
    const argv = ['token', 'set', '--local', stack.url];
    expect((await runPayhooks(argv, { env })).code).toBe(2);
    expect(await stack.secret('token')).toContain('other-refresh');
    expect((await runPayhooks([...argv, '--yes'], { env })).code).toBe(0);
    expect(await stack.secret('token')).toBe(written);
  });

  it('ends a stuck rotation, so that the next one starts from the new token', async () => {
    const stack = await startLocalStack({ token: written.replace('first', 'other') });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new SecretsManagerClient({
      region: 'us-east-1',
      endpoint: stack.secrets.endpoint,
      credentials,
    });
    onTestFinished(() => client.destroy());
    const SecretId = stack.tokenSecretArn;
    const stuck = { SecretId, SecretString: '{}', VersionStages: ['AWSPENDING'] };
    const { VersionId = '' } = await client.send(new PutSecretValueCommand(stuck));
    expect((await runPayhooks(['token', 'set', '--local', stack.url, '--yes'], { env })).code).toBe(0);
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    const current = Object.values(VersionIdsToStages).find((stages) => stages.includes('AWSCURRENT'));
    expect(current?.toSorted()).toEqual(['AWSCURRENT', 'AWSPENDING']);
    expect(VersionIdsToStages[VersionId]).toBeUndefined();
    expect(await stack.secret('token')).toBe(written);
  });

  it('refuses a private key as the refresh token without quoting it', async () => {
    const stack = await startLocalStack({ token: null });
    const wrong = { ...env, PAYHOOKS_OAUTH_REFRESH_TOKEN: 'pri_live_key' };
    const { code, stderr } = await runPayhooks(['token', 'set', '--local', stack.url], { env: wrong });
    expect([code, stderr.includes('refresh_token is a private key'), stderr.includes('pri_live')]).toEqual([
      1,
      true,
      false,
    ]);
  });
});
