import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

const { EVENTS_TABLE_NAME = '', ORDERS_TABLE_NAME = '' } = process.env;
const dynamoDb = new DynamoDBClient({});

/** Records each event of a batch once, and the status of its order. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.allSettled(Records.map(({ body }) => record(body)));
  const failed = Records.filter((_, index) => results[index]?.status === 'rejected');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function record(body: string): Promise<void> {
  const { id, event_name, payload } = JSON.parse(body);
  const { transaction } = payload;
  const now = { S: new Date().toISOString() };
  const put = new PutItemCommand({
    TableName: EVENTS_TABLE_NAME,
    Item: { id: { S: id }, body: { S: body }, received_at: now },
    ConditionExpression: 'attribute_not_exists(id)',
  });
  try {
    await dynamoDb.send(put);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return;
    throw error;
  }
  await dynamoDb.send(
    new UpdateItemCommand({
      TableName: ORDERS_TABLE_NAME,
      Key: { order_id: { S: transaction.order_id } },
      UpdateExpression:
        'SET order_status = :status, transaction_id = :id, amount = :amount, updated_at = :now',
      ExpressionAttributeValues: {
        ':status': { S: event_name.replace('transaction.', '') },
        ':id': { S: transaction.id },
        ':amount': { S: transaction.amount },
        ':now': now,
      },
    }),
  );
}
