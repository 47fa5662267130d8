import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';

const { EVENTS_TABLE_NAME = '', ORDERS_TABLE_NAME = '', IDEMPOTENCY_TABLE_NAME = '' } = process.env;
const logger = new Logger();
const metrics = new Metrics();
const dynamoDb = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});
const processor = new BatchProcessor(EventType.SQS);
const idempotency = new IdempotencyConfig({ eventKeyJmesPath: 'id' });

const webhookEvent = v.object({
  id: v.string(),
  event_name: v.string(),
  payload: v.object({
    transaction: v.object({
      id: v.string(),
      amount: v.string(),
      currency: v.string(),
      order_id: v.string(),
      created_at: v.string(),
    }),
  }),
});
type WebhookEvent = v.InferOutput<typeof webhookEvent>;

const statuses: Readonly<Record<string, string>> = {
  'transaction.paid': 'paid',
  'transaction.refunded': 'refunded',
  'transaction.failed': 'failed',
};

/** Records each event of a batch once, and the status of its order. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  logger.addContext(context);
  logger.logEventIfEnabled(event);
  idempotency.registerLambdaContext(context);
  try {
    return await processPartialResponse(event, recordOf, processor, { context });
  } finally {
    metrics.publishStoredMetrics();
  }
}

async function recordOf({ body }: SQSRecord): Promise<void> {
  await recordOnce(v.parse(webhookEvent, JSON.parse(body)));
}

const recordOnce = makeIdempotent(record, {
  config: idempotency,
  persistenceStore: new DynamoDBPersistenceLayer({ tableName: IDEMPOTENCY_TABLE_NAME }),
});

async function record(event: WebhookEvent): Promise<{ readonly orderId: string }> {
  const { transaction } = event.payload;
  const status = statuses[event.event_name];
  await dynamoDb.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Put: {
            TableName: EVENTS_TABLE_NAME,
            Item: { ...event, received_at: new Date().toISOString() },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        },
        {
          Update: {
            TableName: ORDERS_TABLE_NAME,
            Key: { order_id: transaction.order_id },
            UpdateExpression:
              'SET #status = :status, transaction_id = :id, amount = :amount, updated_at = :now',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':status': status ?? 'pending',
              ':id': transaction.id,
              ':amount': transaction.amount,
              ':now': new Date().toISOString(),
            },
          },
        },
      ],
    }),
  );
  logger.info('Event recorded', { eventId: event.id, orderId: transaction.order_id, status });
  metrics.addMetric('EventRecorded', MetricUnit.Count, 1);
  return { orderId: transaction.order_id };
}
