import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { runSimulator, type Scripted } from '@payhooks/payment-service/testing';
import { expect, it, vi } from 'vitest';
import type { Consumer } from '../../lambdas/consumer/consumer.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import type { Heartbeat } from '../../lambdas/heartbeat/heartbeat.ts';
import type { Verifier } from '../../lambdas/verifier/verifier.ts';
import type { AuditReport } from '../../lambdas/webhook-audit/finding.ts';
import { eventBody } from '../doubles/event-body.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { sealSecret } from '../doubles/seal.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { functionLog, startAws, startFunction } from '../doubles/started-function.ts';

// The simulation draws EVENT_RETENTION_DAYS, SEQUENCE_BASE and EVENT_MEANINGS, and checks what they do.

it('the consumer counts a retry of a record that DynamoDB throttles, and logs the error', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const throttled = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  const { endpoint } = await startAws((request) => {
    const { json } = aws(request);
    return operationOf(request) === 'GetSecretValue'
      ? { json }
      : { status: 400, json: { __type: throttled } };
  });
  const log = functionLog();
  const consumer = await startFunction<Consumer>('consumer', {
    endpoint,
    EVENT_QUEUE_URL: `${endpoint}/queue`,
    SEAL_SECRET_ARN: 'seal',
  });
  const { batchItemFailures } = await consumer(sqsEvent({ body: eventBody({ id: 'throttled' }) }));
  expect(batchItemFailures).toHaveLength(1);
  expect(log).toContainEqual(expect.objectContaining({ RecordsRetried: 1 }));
  const error_name = 'ProvisionedThroughputExceededException';
  expect(log).toContainEqual(expect.objectContaining({ message: 'record will be retried', error_name }));
});

interface AwsRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const operationOf = ({ headers }: AwsRequest) => String(headers['x-amz-target']).split('.').at(-1);

/** AWS with one private key and the keys of seals; it takes every message. */
function aws(request: AwsRequest): Scripted {
  const { body } = request;
  const operation = operationOf(request);
  if (operation === 'GetSecretValue') {
    const SecretString = JSON.parse(body).SecretId === 'seal' ? sealSecret : 'pri_live';
    return { json: { SecretString, VersionId: '1' } };
  }
  if (operation !== 'SendMessage') return { json: {} };
  const MD5OfMessageBody = createHash('md5').update(JSON.parse(body).MessageBody).digest('hex');
  return { json: { MessageId: '1', MD5OfMessageBody } };
}

it.each([
  ['counts an accepted webhook', { COUNT_ACCEPTED: 'true' }, 1],
  ['counts none without it', {}, undefined],
])('COUNT_ACCEPTED of the verifier %s', async (_, variables, count) => {
  const { endpoint } = await startAws(aws);
  const log = functionLog();
  const verify = await startFunction<Verifier>('verifier', {
    ...{ endpoint, SIGNATURE_HEADER: 'x-signature', KEY_SECRET_ARN: 'keys', ...variables },
    ...{ EVENT_QUEUE_URL: `${endpoint}/queue`, SEAL_SECRET_ARN: 'seal' },
  });
  const body = Buffer.from(eventBody({ id: 'e' }));
  const headers = { 'x-signature': sign(createSigningKey('pri_live'), body) };
  const request = { routeKey: 'POST /webhooks/payments', headers, body: body.toString() };
  expect(await verify(gatewayEvent(request))).toMatchObject({ statusCode: 202 });
  expect(log.find((line) => 'WebhooksAccepted' in line)?.['WebhooksAccepted']).toBe(count);
});

it('REQUIRED_EVENTS of the webhook audit are those that the webhook must subscribe to', async () => {
  const { endpoint } = await startAws(aws);
  functionLog();
  const url = 'https://hooks.example.com/webhooks/payments';
  const { baseUrl, registerWebhook } = await runSimulator();
  registerWebhook({ url, enabledEvents: ['transaction.paid'], isLiveMode: true });
  const kindsFor = async (REQUIRED_EVENTS: string) => {
    const audit = await startFunction<() => Promise<AuditReport>>('webhook-audit', {
      ...{ endpoint, KEY_SECRET_ARN: 'keys', PAYMENT_SERVICE_BASE_URL: baseUrl, WEBHOOK_URL: url },
      ...{ DEAD_LETTER_QUEUE_URL: `${endpoint}/dead`, STACK_NAME: 'payhooks', REQUIRED_EVENTS },
    });
    return (await audit()).findings.map(({ kind }) => kind);
  };
  expect(await kindsFor('transaction.paid')).toEqual([]);
  expect(await kindsFor('transaction.paid,transaction.refunded')).toEqual(['event_missing']);
});

it.each([
  ['reads that certificate', { CLIENT_CERTIFICATE_SECRET_ARN: 'certificate' }, ['key', 'certificate']],
  ['reads none without it', {}, ['key']],
])('CLIENT_CERTIFICATE_SECRET_ARN of the heartbeat: it %s', async (_, variables, secrets) => {
  const { endpoint, inputs } = await startAws({ json: { SecretString: '0'.repeat(64), VersionId: '1' } });
  functionLog();
  const beat = await startFunction<Heartbeat>('heartbeat', {
    ...{ endpoint, SIGNATURE_HEADER: 'x-signature', HEARTBEAT_KEY_SECRET_ARN: 'key', ...variables },
    WEBHOOK_URL: 'http://127.0.0.1:2/webhooks/payments',
  });
  await beat();
  expect(inputs().map(({ SecretId }) => SecretId)).toEqual(secrets);
});
