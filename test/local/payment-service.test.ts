import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { closeServer, listen } from '@payhooks/cdk-local';
import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPaymentService } from '../../local/pipeline/payment-service.ts';
import { eventually, privateKey, type RunningPipeline, runPipeline, sandboxKey } from './running-pipeline.ts';

const minute = 60_000;
const enabled_events = ['transaction.paid', 'transaction.refunded'];

let pipeline: RunningPipeline;
let now = Date.now();
const lines: string[] = [];

beforeAll(async () => {
  pipeline = await runPipeline({
    // Only the turns that a test asks for.
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

/** The names of the alarms that ring, once these do. */
async function ringing(...expected: readonly string[]): Promise<void> {
  const ask = async (): Promise<string[]> => {
    const alarms = (await pipeline.get('/alarms')).json as unknown as { name: string; state: string }[];
    return alarms.filter(({ state }) => state === 'ALARM').map(({ name }) => name);
  };
  await eventually(ask, (names) => JSON.stringify(names) === JSON.stringify(expected));
}

// The tests follow one another on one pipeline and one account.
describe('the payment service of a running pipeline', () => {
  it('is audited, and nothing registered rings', async () => {
    await pipeline.runSchedules();
    await ringing('WebhookNotRegistered');
    expect(lines.find((line) => line.startsWith('alarm '))).toContain('WebhookNotRegistered');
    expect(lines.find((line) => line.includes('webhook audit found'))).toContain(
      'npx payhooks webhooks register',
    );
  });

  it('delivers to what is registered through its API, and the order becomes paid', async () => {
    await service().createWebhook({ url: webhookUrl(), enabled_events });
    const [record] = await pipeline.simulator.emit(paidEvent({ orderId: 'order-1' }));
    expect(record?.delivery.attempts).toMatchObject([{ number: 1, result: { status: 202 } }]);
    expect(await pipeline.order('order-1', ({ status }) => status === 'paid')).toMatchObject({
      mode: 'live',
    });
  });

  it('lets the alarm end when the audits of an hour have found it registered', async () => {
    now += 61 * minute;
    await pipeline.runSchedules();
    await ringing();
  });

  it('rings again after the registration was deleted, until it is made once more', async () => {
    for await (const { id } of service().allWebhooks()) await service().deleteWebhook(id);
    expect(await pipeline.simulator.emit(paidEvent({ orderId: 'order-2' }))).toEqual([]);
    await pipeline.runSchedules();
    await ringing('WebhookNotRegistered');
    await service().createWebhook({ url: webhookUrl(), enabled_events });
    now += 61 * minute;
    await pipeline.runSchedules();
    await ringing();
  });

  it('is told apart from the pipeline by /stack, which names no key', async () => {
    const { status, body, json } = await pipeline.get('/stack');
    expect(status).toBe(200);
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
    expect(json['outputs']).not.toHaveProperty('VerifierLogGroup');
    expect(body).not.toMatch(/pri_\w/);
  });
});

describe('the payment service with OAuth', () => {
  it('gives an audit whose access token has expired another one, by a rotation of the secret', async () => {
    let clock = Date.now();
    const oauth = await runPipeline({
      firstScheduleMilliseconds: 60 * minute,
      clock: () => clock,
      service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
      onLine: (stage, line) => audits.push(`${stage} ${line}`),
    });
    onTestFinished(() => oauth.stop());
    const audits: string[] = [];
    const verdicts = (): string[] =>
      audits
        .filter((line) => line.includes('"webhook audited"'))
        .map((line) => /"findings":\d/.exec(line)?.[0] ?? '');
    const client = new SecretsManagerClient({
      region: 'us-east-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
      endpoint: oauth.endpoints.secretsManager,
    });
    onTestFinished(() => client.destroy());
    const SecretId = oauth.resources.tokenSecretId;
    const tokens = async (): Promise<Record<string, string>> =>
      JSON.parse((await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '');
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
    await eventually(
      async () => verdicts().length,
      (count) => count === 3,
    );
    expect(verdicts()).toEqual(['"findings":0', '"findings":0', '"findings":0']);
    expect((await oauth.get('/stack')).body).not.toContain(second['refresh_token']);
  });
});

describe('a restart on a data directory with OAuth', () => {
  it('begins with tokens that the payment service of this run knows', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    onTestFinished(() => rm(dataDirectory, { recursive: true }));
    for (const _ of ['first', 'second']) {
      const said: string[] = [];
      const oauth = await runPipeline({
        dataDirectory,
        firstScheduleMilliseconds: 60 * minute,
        service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
        onLine: (_, line) => said.push(line),
      });
      onTestFinished(() => oauth.stop());
      await oauth.runSchedules();
      await oauth.stop();
      expect(said.filter((line) => line.includes('"webhook audited"'))).toHaveLength(1);
    }
  });
});

describe('the port of the payment service', () => {
  async function start(otherwiseAnyPort: boolean) {
    const taken = createServer();
    const { port } = new URL(await listen(taken, { host: '127.0.0.1', port: 0 }));
    onTestFinished(() => closeServer(taken));
    const said: string[] = [];
    const starting = startPaymentService({
      options: { port: Number(port), otherwiseAnyPort, authentication: 'private-key' },
      keys: { live: privateKey, sandbox: sandboxKey },
      clock: Date.now,
      signatureHeader: () => 'x-service-signature',
      onProgress: (sentence) => said.push(sentence),
    });
    return { port, said, starting };
  }

  it('is another one, with a sentence, when the usual one is taken', async () => {
    const { port, said, starting } = await start(true);
    const { simulator } = await starting;
    onTestFinished(() => simulator.stop());
    expect(new URL(simulator.baseUrl).port).not.toBe(port);
    expect(said).toEqual([
      `Port ${port} is in use on 127.0.0.1; choose another with --service-port. ` +
        'The payment service takes a free port instead.',
    ]);
  });

  it('is an error when it was asked for and is taken', async () => {
    const { port, said, starting } = await start(false);
    await expect(starting).rejects.toThrow(
      `Port ${port} is in use on 127.0.0.1; choose another with --service-port.`,
    );
    expect(said).toEqual([]);
  });
});
