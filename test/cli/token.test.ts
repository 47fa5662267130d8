import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { failure } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withProcessLock } from '../../cli/tokens/process-lock.ts';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { runSimulator } from '../../packages/payment-service/test/simulator/running-simulator.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks, spawnPayhooks, temporaryDirectory } from './payhooks-process.ts';

const exchange = 'POST /api/v2/oauth/token';

/** A payment service, and an environment with the first refresh token of its client. */
async function start() {
  const seen: string[] = [];
  const simulator = await runSimulator({ onRequest: ({ method, path }) => seen.push(`${method} ${path}`) });
  const state = await temporaryDirectory();
  const env = {
    PAYHOOKS_SERVICE_URL: simulator.baseUrl,
    PAYHOOKS_OAUTH_CLIENT_ID: 'shop',
    PAYHOOKS_OAUTH_CLIENT_SECRET: 'shop-secret',
    PAYHOOKS_OAUTH_REFRESH_TOKEN: 'first-refresh',
    XDG_STATE_HOME: state,
  };
  const directory = join(state, 'payhooks');
  const file = async () =>
    join(directory, (await readdir(directory)).find((name) => name.endsWith('.json')) ?? '');
  const tokens = async () => JSON.parse(await readFile(await file(), 'utf8')).tokens;
  const exchanges = () => seen.filter((line) => line === exchange).length;
  return { simulator, env, file, tokens, exchanges };
}

describe('the token of the environment', () => {
  it('is renewed once and kept for the commands after it', async () => {
    const { env, tokens, exchanges } = await start();
    expect((await runPayhooks(['account'], { env })).code).toBe(0);
    expect((await tokens()).refresh_token).not.toBe('first-refresh');
    expect((await runPayhooks(['webhooks', 'list'], { env })).code).toBe(0);
    const { PAYHOOKS_OAUTH_REFRESH_TOKEN, ...withoutIt } = env;
    expect((await runPayhooks(['account'], { env: withoutIt })).code).toBe(0);
    expect([PAYHOOKS_OAUTH_REFRESH_TOKEN, exchanges()]).toEqual(['first-refresh', 1]);
  });

  it('lies in a file that its owner alone can read', async () => {
    const { env, file } = await start();
    await runPayhooks(['account'], { env });
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(await file(), '..'))).mode & 0o777).toBe(0o700);
  });

  it('is spent once by two processes, and one valid refresh token is kept at the end', async () => {
    const { env, exchanges } = await start();
    const both = await Promise.all([
      spawnPayhooks(['account'], { env }),
      spawnPayhooks(['account'], { env }),
    ]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, `payment service at ${env.PAYHOOKS_SERVICE_URL}\n`],
      [0, `payment service at ${env.PAYHOOKS_SERVICE_URL}\n`],
    ]);
    expect(exchanges()).toBe(1);
    // What is kept can be spent, and what comes of that as well.
    for (const _ of ['once', 'twice']) {
      expect((await runPayhooks(['token', 'refresh', '--yes'], { env })).code).toBe(0);
    }
    expect(exchanges()).toBe(3);
  });

  it('is not touched while another process renews it', async () => {
    const { env, file, exchanges } = await start();
    await runPayhooks(['account'], { env });
    const lock = (await file()).replace(/json$/, 'lock');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holding = withProcessLock(lock, () => held);
    const waiting = spawnPayhooks(['token', 'refresh', '--yes'], { env });
    // Several times as long as the command takes when nobody is before it.
    await pause(2_000);
    expect(exchanges()).toBe(1);
    release();
    await holding;
    expect([(await waiting).code, exchanges()]).toEqual([0, 2]);
  });

  it('starts anew with another refresh token than the one that the file began with', async () => {
    const { env, tokens, simulator, exchanges } = await start();
    await runPayhooks(['account'], { env });
    const { refresh_token: current } = await tokens();
    const renewed = { ...env, PAYHOOKS_OAUTH_REFRESH_TOKEN: current };
    expect((await runPayhooks(['account'], { env: renewed })).code).toBe(0);
    expect([exchanges(), simulator.baseUrl]).toEqual([2, env.PAYHOOKS_SERVICE_URL]);
    expect((await tokens()).refresh_token).not.toBe(current);
  });

  it('ends with exit code 3 when the refresh token is refused, and is in no output', async () => {
    const { env } = await start();
    const wrong = { ...env, PAYHOOKS_OAUTH_REFRESH_TOKEN: 'spent-refresh-token' };
    const { code, stdout, stderr } = await runPayhooks(['account'], { env: wrong });
    expect([code, stderr.includes('refreshTokens failed with status 400')]).toEqual([3, true]);
    expect(stdout + stderr).not.toMatch(/spent-refresh-token|shop-secret/);
  });

  it('names the variable that is missing', async () => {
    const { env } = await start();
    const { code, stderr } = await runPayhooks(['account'], {
      env: { ...env, PAYHOOKS_OAUTH_CLIENT_SECRET: '' },
    });
    expect([code, stderr.includes('OAuth needs PAYHOOKS_OAUTH_CLIENT_SECRET as well.')]).toEqual([2, true]);
  });
});

describe('payhooks token refresh', () => {
  it('asks before it spends the refresh token of the environment', async () => {
    const { env, exchanges } = await start();
    const refused = await runPayhooks(['token', 'refresh'], { env });
    expect([refused.code, exchanges()]).toEqual([2, 0]);
    const { code, stdout } = await runPayhooks(['token', 'refresh', '--yes', '--json'], { env });
    const { renewed, expires_at } = JSON.parse(stdout);
    expect([code, renewed]).toEqual([0, true]);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  });

  it('takes no rotation for one that leaves the token as it was', async () => {
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

  it('tells of a stack without OAuth which setting it takes', async () => {
    const { url } = await startLocalStack({ keys: 'pri_live' });
    const { code, stderr } = await runPayhooks(['token', 'refresh', '--local', url, '--yes']);
    expect([code, stderr.includes('paymentServiceAuthentication=oauth in cdk.json changes it')]).toEqual([
      1,
      true,
    ]);
  });
});

describe('payhooks token set', () => {
  const env = {
    PAYHOOKS_OAUTH_CLIENT_ID: 'shop',
    PAYHOOKS_OAUTH_CLIENT_SECRET: 'shop-secret',
    PAYHOOKS_OAUTH_REFRESH_TOKEN: 'first-refresh',
  };
  const written = '{"client_id":"shop","client_secret":"shop-secret","refresh_token":"first-refresh"}';

  it('gives the stack its first token from the environment', async () => {
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

  it('ends a rotation that is stuck, so that the next one begins with what was put in', async () => {
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

  it('refuses a private key in the place of the refresh token, and does not quote it', async () => {
    const stack = await startLocalStack({ token: null });
    const wrong = { ...env, PAYHOOKS_OAUTH_REFRESH_TOKEN: 'pri_live_key' };
    const { code, stderr } = await runPayhooks(['token', 'set', '--local', stack.url], { env: wrong });
    expect([
      code,
      stderr.includes('is a private key; expected a token'),
      stderr.includes('pri_live'),
    ]).toEqual([1, true, false]);
  });
});
