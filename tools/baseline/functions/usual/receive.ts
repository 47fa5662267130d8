import { createHmac, timingSafeEqual } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

const logger = new Logger();
const metrics = new Metrics();
const sqs = new SQSClient({});
const { SIGNATURE_HEADER = '', SECRET_ARN = '', QUEUE_URL = '' } = process.env;

/** Verifies the signature of a webhook and queues its body. */
export async function handler(
  event: APIGatewayProxyEventV2,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> {
  logger.addContext(context);
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  try {
    const signature = event.headers[SIGNATURE_HEADER] ?? '';
    if (!isSigned(body, signature, await privateKey())) {
      logger.warn('Invalid signature');
      metrics.addMetric('InvalidSignature', MetricUnit.Count, 1);
      return response(403, 'Invalid signature');
    }
    const { MessageId } = await sqs.send(
      new SendMessageCommand({ QueueUrl: QUEUE_URL, MessageBody: body.toString() }),
    );
    logger.info('Webhook accepted', { messageId: MessageId });
    metrics.addMetric('WebhookAccepted', MetricUnit.Count, 1);
    return response(202, 'accepted');
  } catch (error) {
    logger.error('Webhook failed', error as Error);
    metrics.addMetric('WebhookFailed', MetricUnit.Count, 1);
    return response(500, 'Internal server error');
  } finally {
    metrics.publishStoredMetrics();
  }
}

async function privateKey(): Promise<string> {
  const secret = await getSecret(SECRET_ARN, { maxAge: 300 });
  if (typeof secret !== 'string') throw new Error('The secret with the private key has no text.');
  return secret;
}

function isSigned(body: Buffer, signature: string, key: string): boolean {
  const expected = createHmac('sha256', key).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const response = (statusCode: number, message: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
