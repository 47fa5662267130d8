import { type DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { eventually } from './questions.ts';

export interface Inspected {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  readonly eventQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly eventsTableName: string;
}

/** What only the queues and tables of a pipeline can tell. */
export function createInspection({ sqs, dynamodb, eventQueueUrl, deadLetterQueueUrl, ...rest }: Inspected) {
  const messagesIn = async (queueUrl: string): Promise<number> => {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  };
  return {
    /** Resolves when every queued event was handled. */
    settled: () =>
      eventually(
        () => messagesIn(eventQueueUrl),
        (messages) => messages === 0,
      ),
    messagesIn,
    deadLetters: () => messagesIn(deadLetterQueueUrl),
    /** The sort keys of all rows under one partition key of `events`. */
    async rowsOfEvents(key: string): Promise<string[]> {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName: rest.eventsTableName,
          KeyConditionExpression: 'event_key = :key',
          ExpressionAttributeValues: { ':key': { S: key } },
        }),
      );
      return Items.map((item) => item['record']?.S ?? '');
    },
    /** Every row of `events`. */
    async countRows(): Promise<number> {
      const scan = new ScanCommand({ TableName: rest.eventsTableName, Select: 'COUNT' });
      return (await dynamodb.send(scan)).Count ?? 0;
    },
  };
}
