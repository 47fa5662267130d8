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

type Response = APIGatewayProxyStructuredResultV2;

/** Verifies the signature of a webhook and queues its body. */
export async function handler(event: APIGatewayProxyEventV2, context: Context): Promise<Response> {
  logger.addContext(context);
  try {
    return await receive(event);
  } catch (error) {
    logger.error('Webhook failed', error as Error);
    metrics.addMetric('WebhookFailed', MetricUnit.Count, 1);
    return response(500, 'Internal server error');
  } finally {
    metrics.publishStoredMetrics();
  }
}

async function receive({ body: text = '', isBase64Encoded, headers }: APIGatewayProxyEventV2) {
  const body = Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8');
  const key = String(await getSecret(SECRET_ARN, { maxAge: 300 }));
  const expected = createHmac('sha256', key).update(body).digest();
  const given = Buffer.from(headers[SIGNATURE_HEADER] ?? '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    logger.warn('Invalid signature');
    metrics.addMetric('InvalidSignature', MetricUnit.Count, 1);
    return response(403, 'Invalid signature');
  }
  const message = new SendMessageCommand({ QueueUrl: QUEUE_URL, MessageBody: body.toString() });
  const { MessageId } = await sqs.send(message);
  logger.info('Webhook accepted', { messageId: MessageId });
  metrics.addMetric('WebhookAccepted', MetricUnit.Count, 1);
  return response(202, 'accepted');
}

const response = (statusCode: number, message: string): Response => ({
  statusCode,
  body: JSON.stringify({ message }),
});
