import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

const { EVENTS_TABLE_NAME = '', ORDERS_TABLE_NAME = '' } = process.env;
const logger = new Logger();
const metrics = new Metrics();
const dynamoDb = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const processor = new BatchProcessor(EventType.SQS);

/** Records each event of a batch once, and the status of its order. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  logger.addContext(context);
  const options = { context, throwOnFullBatchFailure: false };
  const response = await processPartialResponse(event, record, processor, options);
  metrics.publishStoredMetrics();
  return response;
}

async function record({ body }: SQSRecord): Promise<void> {
  const event = JSON.parse(body);
  const { transaction } = event.payload;
  const found = await dynamoDb.send(new GetCommand({ TableName: EVENTS_TABLE_NAME, Key: { id: event.id } }));
  if (found.Item !== undefined) {
    logger.info('Duplicate event', { eventId: event.id });
    return;
  }
  const now = new Date().toISOString();
  const Item = { ...event, received_at: now };
  await dynamoDb.send(new PutCommand({ TableName: EVENTS_TABLE_NAME, Item }));
  const status = event.event_name.replace('transaction.', '');
  await dynamoDb.send(
    new UpdateCommand({
      TableName: ORDERS_TABLE_NAME,
      Key: { order_id: transaction.order_id },
      UpdateExpression:
        'SET order_status = :status, transaction_id = :id, amount = :amount, updated_at = :now',
      ExpressionAttributeValues: {
        ...{ ':status': status, ':id': transaction.id, ':amount': transaction.amount, ':now': now },
      },
    }),
  );
  logger.info('Event recorded', { eventId: event.id, orderId: transaction.order_id, status });
  metrics.addMetric('EventRecorded', MetricUnit.Count, 1);
}
