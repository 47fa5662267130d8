import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, privateKey, type RunningPipeline, runPipeline } from './running-pipeline.ts';

let pipeline: RunningPipeline;
const lines: string[] = [];
const access = { region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: (_, line) => lines.push(line) });
});
afterAll(() => pipeline.stop());

async function putSecret(SecretString: string): Promise<void> {
  const client = new SecretsManagerClient({ ...access, endpoint: pipeline.endpoints.secretsManager });
  await client.send(new PutSecretValueCommand({ SecretId: pipeline.resources.keySecretId, SecretString }));
  client.destroy();
}

const unavailable = { status: 503, body: '{"message":"Service unavailable"}' };

// The two faults follow one another on one pipeline: nothing is stored until the last one is mended.
describe('a fault of ours', () => {
  const body = bytesOf(paidEvent({ orderId: 'order-1' }));

  it('is answered 503 while the secret holds no key, and mends itself when it does', async () => {
    await putSecret('{"private_keys":[]}');
    expect(await pipeline.post(body)).toMatchObject(unavailable);
    expect(await pipeline.post(body, { signature: 'a'.repeat(64) })).toMatchObject(unavailable);
    await putSecret(privateKey);
    const accepted = await eventually(
      () => pipeline.post(body),
      ({ status }) => status === 202,
    );
    expect(accepted.body).toBe('{"status":"accepted"}');
    expect(await pipeline.order('order-1')).toMatchObject({ status: 'paid' });
  });

  it('is answered 503, with a time to wait, when the queue refuses', async () => {
    const sqs = new SQSClient({ ...access, endpoint: pipeline.endpoints.sqs });
    await sqs.send(new DeleteQueueCommand({ QueueUrl: pipeline.resources.eventQueueUrl }));
    sqs.destroy();
    const answer = await pipeline.post(body);
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers['retry-after']).toBe('5');
  });

  it('is told to the log by its kind, without a key, a signature or a body', () => {
    const all = lines.join('\n');
    expect(all).toContain('"reason":"keys_unavailable"');
    expect(all).toContain('"reason":"queue_unavailable"');
    for (const secret of [privateKey, pipeline.sign(body), 'Nobody Real']) expect(all).not.toContain(secret);
  });
});
