import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { DeleteQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventually,
  privateKey,
  type RunningPipeline,
  runPipeline,
} from '../local/pipeline/running-pipeline.ts';

let pipeline: RunningPipeline;
const lines: string[] = [];

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: (_, line) => lines.push(line) });
});
afterAll(() => pipeline.stop());

async function putKeys(SecretString: string): Promise<void> {
  const { clients, resources } = pipeline;
  const command = new PutSecretValueCommand({ SecretId: resources.keySecretId, SecretString });
  await clients.secretsManager.send(command);
}

const unavailable = { status: 503, body: '{"message":"Service unavailable"}' };

// The tests are one story of one pipeline.
describe('a running pipeline', { shuffle: false }, () => {
  const body = bytesOf(paidEvent({ orderId: 'order-1' }));

  it('responds 503, not 403, while the secret has no key, and recovers by itself', async () => {
    // The verifier keeps the keys of its start; a signature that they do not prove makes it read the secret again.
    const unproved = () => pipeline.post(body, { signature: 'a'.repeat(64) });
    await putKeys('{"private_keys":[]}');
    expect(await eventually(unproved, ({ status }) => status === 503)).toMatchObject(unavailable);
    await putKeys(privateKey);
    expect(await eventually(unproved, ({ status }) => status !== 503)).toMatchObject({ status: 403 });
    expect(await pipeline.post(body)).toMatchObject({ status: 202, body: '{"status":"accepted"}' });
    expect(await pipeline.order('order-1')).toMatchObject({ status: 'paid' });
  });

  it('tries a record that failed again after seconds, long before its visibility timeout ends', async () => {
    const { clients, resources } = pipeline;
    const message = { QueueUrl: resources.eventQueueUrl, MessageBody: 'not from the verifier' };
    const { MessageId = '' } = await clients.sqs.send(new SendMessageCommand(message));
    const isAttempt = (line: string) => line.includes('record will be retried') && line.includes(MessageId);
    const attempts = async () => lines.filter(isAttempt).length;
    expect(await eventually(attempts, (count) => count > 1)).toBeGreaterThan(1);
  });

  it('responds 503 with Retry-After when the queue refuses a message', async () => {
    const { clients, resources } = pipeline;
    await clients.sqs.send(new DeleteQueueCommand({ QueueUrl: resources.eventQueueUrl }));
    const response = await pipeline.post(body);
    expect(response).toMatchObject(unavailable);
    expect(response.headers['retry-after']).toBe('5');
  });

  it('logs the kind of a fault, and no key, signature or body', () => {
    const all = lines.join('\n');
    expect(all).toContain('"reason":"keys_unavailable"');
    expect(all).toContain('"reason":"queue_unavailable"');
    for (const secret of [privateKey, pipeline.sign(body), 'Nobody Real']) expect(all).not.toContain(secret);
  });
});
