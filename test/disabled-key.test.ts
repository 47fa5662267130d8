import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventQueue } from '../lambdas/aws/queues.ts';
import { createSecretReader } from '../lambdas/aws/secret-reader.ts';
import { createSigningKey, sign } from '../lambdas/domain/signature.ts';
import { createKeyRing } from '../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../lambdas/verifier/verifier.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { openTables } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
const refusal = (__type: string) => ({ status: 400, json: { __type, message: 'the key is disabled' } });
const body = Buffer.from('{}');
const headers = { 'x-service-signature': sign(createSigningKey('pri_a'), body) };
const webhook = gatewayEvent({ routeKey: 'POST /webhooks/payments', headers, body: '{}' });

describe('while the KMS key cannot be used', () => {
  it.each([
    'KmsDisabled',
    'KmsInvalidState',
    'KmsNotFound',
    'KmsAccessDenied',
    'KmsOptInRequired',
    'KmsInvalidKeyUsage',
    'KmsThrottled',
  ])('a genuine webhook gets 503 when SQS responds %s', async (code) => {
    const { baseUrl } = await startService(refusal(`com.amazonaws.sqs#${code}`));
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', baseUrl);
    const telemetry = recordTelemetry();
    const verifyWebhook = createVerifier({
      signatureHeader: 'x-service-signature',
      keys: createKeyRing({ readSecret: async () => 'pri_a', now: Date.now, telemetry }),
      enqueue: createEventQueue(`${baseUrl}/000000000000/events`),
      now: Date.now,
      telemetry,
    });
    expect(await verifyWebhook(webhook)).toMatchObject({ statusCode: 503 });
    expect(telemetry.metrics).toContain('QueueUnavailable');
  });

  it.each(['DecryptionFailure', 'AccessDeniedException', 'InternalServiceError'])(
    'no signature is called wrong when Secrets Manager responds %s',
    async (code) => {
      const { baseUrl } = await startService(refusal(code));
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', baseUrl);
      const telemetry = recordTelemetry();
      const readSecret = createSecretReader('arn:aws:secretsmanager:us-east-1:000000000000:secret:keys');
      const enqueue = vi.fn();
      const verifyWebhook = createVerifier({
        signatureHeader: 'x-service-signature',
        keys: createKeyRing({ readSecret, now: Date.now, telemetry }),
        enqueue,
        now: Date.now,
        telemetry,
      });
      expect(await verifyWebhook(webhook)).toMatchObject({ statusCode: 503 });
      expect(enqueue).not.toHaveBeenCalled();
      expect(telemetry.metrics).toContain('SecretReadFailed');
    },
  );

  it.each(['AccessDeniedException', 'ValidationException', 'KMSInvalidStateException', 'SomethingNew'])(
    'a record goes back to the queue when DynamoDB responds %s',
    async (code) => {
      const { baseUrl: endpoint } = await startService(refusal(code));
      const { store } = openTables(new DynamoDBClient({ endpoint, maxAttempts: 1 }));
      const response = await consumerOver(store)(sqsEvent({ body: eventBody({ id: 'e1', order: 'A' }) }));
      expect(response.batchItemFailures).toHaveLength(1);
    },
  );
});
