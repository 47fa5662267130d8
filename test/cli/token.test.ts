import { DescribeSecretCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { failure } from '@payhooks/cdk-local/emulators';
import { describe, expect, it } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

describe('payhooks token refresh', () => {
  it('starts another rotation when one leaves the token unchanged', async () => {
    const text = (accessToken: string) =>
      writeTokenSecret({ clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'first', accessToken });
    const stack = await startLocalStack({ token: text('former') });
    const tokens = ['former', 'another'];
    stack.secrets.rotateWith(stack.tokenSecretArn, async () => {
      await stack.putSecret('token', text(tokens.shift() ?? 'a third'));
      return failure(new Error('A copy was made current, and nothing was renewed.'));
    });
    const { code, stdout } = await runPayhooks(['token', 'refresh', '--local', stack.url, '--yes']);
    expect([code, stdout.includes('The token is renewed'), tokens]).toEqual([0, true, []]);
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
    const { client, tokenSecretArn: SecretId } = stack;
    const stuck = { SecretId, SecretString: '{}', VersionStages: ['AWSPENDING'] };
    const { VersionId = '' } = await client.send(new PutSecretValueCommand(stuck));
    expect((await runPayhooks(['token', 'set', '--local', stack.url, '--yes'], { env })).code).toBe(0);
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    const current = Object.values(VersionIdsToStages).find((stages) => stages.includes('AWSCURRENT'));
    expect(current?.toSorted()).toEqual(['AWSCURRENT', 'AWSPENDING']);
    expect(VersionIdsToStages[VersionId]).toBeUndefined();
    expect(await stack.secret('token')).toBe(written);
  });

  const client = { PAYHOOKS_OAUTH_CLIENT_ID: 'shop-2', PAYHOOKS_OAUTH_CLIENT_SECRET: 'second-secret' };
  const keep = ['token', 'set', '--keep-refresh-token'];

  it('replaces the client and keeps the tokens with --keep-refresh-token', async () => {
    const tokens = { refreshToken: 'only-refresh', accessToken: 'access', expiresAt: 1_796_083_200_000 };
    const former = { clientId: 'shop', clientSecret: 'wrong-secret', ...tokens, replaces: 'v1' };
    const stack = await startLocalStack({ token: writeTokenSecret(former) });
    const argv = [...keep, '--local', stack.url];
    const refused = await runPayhooks(argv, { env: client });
    expect(refused.stderr).toContain('Replace the client id and secret');
    const { code, stdout, stderr } = await runPayhooks([...argv, '--yes'], { env: client });
    expect([refused.code, code]).toEqual([2, 0]);
    expect(JSON.parse((await stack.secret('token')) ?? '')).toEqual({
      client_id: 'shop-2',
      client_secret: 'second-secret',
      refresh_token: 'only-refresh',
      access_token: 'access',
      expires_at: '2026-12-01T00:00:00.000Z',
    });
    expect(refused.stderr + stdout + stderr).not.toMatch(/only-refresh|-secret/);
  });

  it('keeps the newer refresh token of a rotation that did not end', async () => {
    const stack = await startLocalStack({ token: written });
    const { client: secrets, tokenSecretArn: SecretId } = stack;
    const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
    const [replaces = ''] = Object.keys(VersionIdsToStages);
    const newer = { clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'newer-refresh', replaces };
    const VersionStages = ['AWSPENDING', 'NEWEST_TOKEN'];
    const SecretString = writeTokenSecret(newer);
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }));
    const { code } = await runPayhooks([...keep, '--local', stack.url, '--yes'], { env: client });
    expect([code, await stack.secret('token')]).toEqual([
      0,
      '{"client_id":"shop-2","client_secret":"second-secret","refresh_token":"newer-refresh"}',
    ]);
  });

  it('has nothing to keep in a secret without a value', async () => {
    const stack = await startLocalStack({ token: null });
    const { code, stderr } = await runPayhooks([...keep, '--local', stack.url, '--yes'], { env: client });
    expect([code, stderr.includes('has no token yet: payhooks token set')]).toEqual([1, true]);
  });

  it('refuses a private key as the refresh token without quoting it', async () => {
    const stack = await startLocalStack({ token: null });
    const wrong = { ...env, PAYHOOKS_OAUTH_REFRESH_TOKEN: 'pri_live_key' };
    const { code, stderr } = await runPayhooks(['token', 'set', '--local', stack.url], { env: wrong });
    expect(stderr).toContain('refresh_token is a private key');
    expect([code, stderr.includes('pri_live')]).toEqual([1, false]);
  });
});
