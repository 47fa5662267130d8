import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect, it, onTestFinished } from 'vitest';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { runPipeline } from '../local/pipeline/running-pipeline.ts';

const hour = 60 * 60_000;

it('local mode with OAuth renews an expired access token, and has new tokens after a restart', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
  onTestFinished(() => rm(dataDirectory, { recursive: true }));
  let clock = Date.now();
  const audits: string[] = [];
  const start = async () => {
    const pipeline = await runPipeline({
      dataDirectory,
      // Schedules run only when the test runs them.
      firstScheduleMilliseconds: hour,
      clock: () => clock,
      service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
      onLine: (_, line) =>
        audits.push(...(/"webhook audited".*"findings":\d/.exec(line)?.[0] ?? '').slice(-1)),
    });
    onTestFinished(() => pipeline.stop());
    return pipeline;
  };
  const oauth = await start();
  const SecretId = oauth.resources.tokenSecretId;
  const tokens = async (): Promise<Record<string, string>> => {
    const secret = await oauth.clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
    return JSON.parse(secret.SecretString ?? '');
  };
  const url = `${oauth.baseUrl}/webhooks/payments`;
  oauth.simulator.registerWebhook({
    url,
    enabledEvents: ['transaction.paid', 'transaction.refunded'],
    isLiveMode: true,
  });

  expect(Object.keys(await tokens())).toEqual(['client_id', 'client_secret', 'refresh_token']);
  await oauth.runSchedules();
  const first = await tokens();
  await oauth.runSchedules();
  expect((await tokens())['access_token']).toBe(first['access_token']);
  clock += hour + 60_000;
  await oauth.runSchedules();
  const second = await tokens();
  expect(first['access_token']).toMatch(/^[\w-]{43}$/);
  expect(second['access_token']).not.toBe(first['access_token']);
  expect(second['refresh_token']).not.toBe(first['refresh_token']);
  await expect.poll(() => audits).toEqual(['0', '0', '0']);
  expect((await oauth.get('/stack')).body).not.toContain(second['refresh_token']);
  const refresh = ['token', 'refresh', '--yes', '--json', '--local', oauth.baseUrl];
  expect(JSON.parse((await spawnPayhooks(refresh)).stdout)).toMatchObject({ renewed: true });

  await oauth.stop();
  const restarted = await start();
  await restarted.runSchedules();
  // The new simulator has no webhook, but it accepts the tokens.
  await expect.poll(() => audits).toEqual(['0', '0', '0', '1']);
});
