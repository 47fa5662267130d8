import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { closeServer, listen } from '@payhooks/cdk-local';
import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPaymentService } from '../../local/pipeline/payment-service.ts';
import {
  eventually,
  privateKey,
  type RunningPipeline,
  runPipeline,
  sandboxKey,
} from '../local/pipeline/running-pipeline.ts';

const minute = 60_000;
const enabled_events = ['transaction.paid', 'transaction.refunded'];

let pipeline: RunningPipeline;
let now = Date.now();
const lines: string[] = [];

beforeAll(async () => {
  pipeline = await runPipeline({
    // A heartbeat under way when the clock jumps would look late.
    settings: { heartbeat: 'false' },
    // Schedules run only when a test runs them.
    firstScheduleMilliseconds: 60 * minute,
    clock: () => now,
    onLine: (stage, line) => lines.push(`${stage} ${line}`),
  });
});
afterAll(() => pipeline.stop());

const webhookUrl = (): string => `${pipeline.baseUrl}/webhooks/payments`;
const service = () =>
  createPaymentServiceClient({
    baseUrl: pipeline.simulator.baseUrl,
    authentication: privateKeyAuthentication(privateKey),
  });

/** Resolves when these alarms and no others are in ALARM. */
async function alarms(...expected: readonly string[]): Promise<void> {
  const read = async (): Promise<string[]> => {
    const list = (await pipeline.get('/alarms')).json as unknown as { name: string; state: string }[];
    return list.filter(({ state }) => state === 'ALARM').map(({ name }) => name);
  };
  await eventually(read, (names) => names.join() === expected.join());
}

// The tests are one story of one pipeline and one account.
describe('a running pipeline with the simulated payment service', { shuffle: false }, () => {
  it('fires an alarm and suggests a command when its webhook is not registered', async () => {
    await pipeline.runSchedules();
    await alarms('WebhookNotRegistered');
    expect(lines.find((line) => line.startsWith('alarm '))).toContain('WebhookNotRegistered');
    expect(lines.find((line) => line.includes('webhook audit found'))).toContain(
      'npx payhooks webhooks register',
    );
  });

  it('receives events when it is registered through the API, and its order becomes paid', async () => {
    await service().createWebhook({ url: webhookUrl(), enabled_events });
    const [record] = await pipeline.simulator.emit(paidEvent({ orderId: 'order-1' }));
    expect(record?.delivery.attempts).toMatchObject([{ number: 1, result: { status: 202 } }]);
    const isPaid = ({ status }: { readonly status?: unknown }): boolean => status === 'paid';
    expect(await pipeline.order('order-1', isPaid)).toMatchObject({ mode: 'live' });
  });

  it('ends the alarm when an hour of audits has found the webhook registered', async () => {
    now += 61 * minute;
    await pipeline.runSchedules();
    await alarms();
  });

  it('fires the alarm again after the webhook was deleted, until it is registered again', async () => {
    for await (const { id } of service().allWebhooks()) await service().deleteWebhook(id);
    expect(await pipeline.simulator.emit(paidEvent({ orderId: 'order-2' }))).toEqual([]);
    await pipeline.runSchedules();
    await alarms('WebhookNotRegistered');
    await service().createWebhook({ url: webhookUrl(), enabled_events });
    now += 61 * minute;
    await pipeline.runSchedules();
    await alarms();
  });

  it('shows its outputs and addresses at /stack, and no key', async () => {
    const { body, json } = await pipeline.get('/stack');
    expect(json).toMatchObject({
      stack: 'payhooks-local',
      outputs: {
        WebhookUrl: webhookUrl(),
        KeySecretArn: pipeline.resources.keySecretId,
        PaymentServiceBaseUrl: pipeline.simulator.baseUrl,
      },
      endpoints: pipeline.endpoints,
      region: 'us-east-1',
      service_url: pipeline.simulator.baseUrl,
    });
    expect(Object.keys(json)).toEqual(['stack', 'outputs', 'endpoints', 'region', 'service_url']);
    expect(json['outputs']).not.toHaveProperty('DashboardUrl');
    expect(body).not.toMatch(/pri_\w/);
  });
});

describe('a running pipeline with OAuth', () => {
  it('renews an expired access token by a rotation, and has new tokens after a restart', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    onTestFinished(() => rm(dataDirectory, { recursive: true }));
    let clock = Date.now();
    const audits: string[] = [];
    const start = () =>
      runPipeline({
        dataDirectory,
        firstScheduleMilliseconds: 60 * minute,
        clock: () => clock,
        service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
        onLine: (_, line) =>
          audits.push(...(/"webhook audited".*"findings":\d/.exec(line)?.[0] ?? '').slice(-1)),
      });
    const oauth = await start();
    onTestFinished(() => oauth.stop());
    const SecretId = oauth.resources.tokenSecretId;
    const tokens = async (): Promise<Record<string, string>> => {
      const secret = await oauth.clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
      return JSON.parse(secret.SecretString ?? '');
    };
    const url = `${oauth.baseUrl}/webhooks/payments`;
    oauth.simulator.registerWebhook({ url, enabledEvents: enabled_events, isLiveMode: true });

    expect(Object.keys(await tokens())).toEqual(['client_id', 'client_secret', 'refresh_token']);
    await oauth.runSchedules();
    const first = await tokens();
    await oauth.runSchedules();
    expect((await tokens())['access_token']).toBe(first['access_token']);
    clock += 61 * minute;
    await oauth.runSchedules();
    const second = await tokens();
    expect(first['access_token']).toMatch(/^[\w-]{43}$/);
    expect(second['access_token']).not.toBe(first['access_token']);
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    await expect.poll(() => audits).toEqual(['0', '0', '0']);
    expect((await oauth.get('/stack')).body).not.toContain(second['refresh_token']);

    await oauth.stop();
    const restarted = await start();
    onTestFinished(() => restarted.stop());
    await restarted.runSchedules();
    // The new simulator has no webhook, but it accepts the tokens.
    await expect.poll(() => audits).toEqual(['0', '0', '0', '1']);
  });
});

describe('the port of the simulated payment service', () => {
  async function startOnTakenPort(otherwiseAnyPort: boolean) {
    const other = createServer();
    const port = Number(new URL(await listen(other, { host: '127.0.0.1', port: 0 })).port);
    onTestFinished(() => closeServer(other));
    const progress: string[] = [];
    const starting = startPaymentService({
      options: { port, otherwiseAnyPort, authentication: 'private-key' },
      keys: { live: privateKey, sandbox: sandboxKey },
      clock: Date.now,
      signatureHeader: () => 'x-service-signature',
      onProgress: (sentence) => progress.push(sentence),
    });
    return { port, progress, starting };
  }

  it('is a free one when the default port is in use', async () => {
    const { port, progress, starting } = await startOnTakenPort(true);
    const { simulator } = await starting;
    onTestFinished(() => simulator.stop());
    expect(Number(new URL(simulator.baseUrl).port)).not.toBe(port);
    expect(progress).toEqual([
      `Port ${port} is taken; the simulated payment service uses a free port instead.`,
    ]);
  });

  it('is an error when the requested port is in use', async () => {
    const { port, starting } = await startOnTakenPort(false);
    await expect(starting).rejects.toThrow(
      `Port ${port} is in use on 127.0.0.1; choose another with --service-port.`,
    );
  });
});
