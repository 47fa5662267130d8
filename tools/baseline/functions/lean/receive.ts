import { createHmac, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const { SIGNATURE_HEADER = '', SECRET_ARN = '', QUEUE_URL = '' } = process.env;
const sqs = new SQSClient({});
const secrets = new SecretsManagerClient({});
const keyMaxAgeMilliseconds = 300_000;
let known = { key: '', readAt: Number.NEGATIVE_INFINITY };

/** Verifies the signature of a webhook and queues its body; an error becomes a response with status 500. */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (Date.now() - known.readAt > keyMaxAgeMilliseconds) {
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: SECRET_ARN }));
    known = { key: SecretString, readAt: Date.now() };
  }
  const expected = createHmac('sha256', known.key).update(body).digest();
  const given = Buffer.from(event.headers[SIGNATURE_HEADER] ?? '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { statusCode: 403 };
  await sqs.send(new SendMessageCommand({ QueueUrl: QUEUE_URL, MessageBody: body.toString() }));
  return { statusCode: 202 };
}
