import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { eventAttributes, eventKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { boundCalls, clientOptions } from './client-options.ts';
import { createDynamoDb } from './dynamodb.ts';
import { queryPage } from './table.ts';

const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

/** Where a delivered event may be. */
export function createDeliveryStores(eventsTableName: string, deadLetterQueueUrl: string) {
  const events = { client: createDynamoDb(), name: eventsTableName };
  const sqs = boundCalls(new SQSClient(clientOptions));
  return {
    /**
     * Whether the table has any row of an event. A query and no read of the event's own row: a body that is
     * kept out of its order only has a row of another kind. Eventually consistent: what is looked up is old.
     */
    async isStored(mode: Mode, eventId: string): Promise<boolean> {
      const where = { text: `#${eventAttributes.key} = :key`, values: { ':key': eventKey(mode, eventId) } };
      return (await queryPage(events, { where, Select: 'COUNT', Limit: 1 })).count > 0;
    },
    /** About how many messages the dead-letter queue holds. */
    async deadLetters(): Promise<number> {
      const request = { QueueUrl: deadLetterQueueUrl, AttributeNames: [...AttributeNames] };
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand(request));
      return AttributeNames.reduce((depth, name) => depth + Number(Attributes[name] ?? 0), 0);
    },
  };
}
