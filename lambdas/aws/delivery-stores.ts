import { eventAttributes, eventKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { createDynamoDb } from './dynamodb.ts';
import { queryPage } from './table.ts';

/** Where a delivered event must be. */
export function createDeliveryStores(eventsTableName: string) {
  const events = { client: createDynamoDb(), name: eventsTableName };
  return {
    /**
     * Whether the table has any row of an event. A query and no read of the event's own row: a body that is
     * kept out of its order only has a row of another kind. Eventually consistent: what is looked up is old.
     */
    async isStored(mode: Mode, eventId: string): Promise<boolean> {
      const where = { text: `#${eventAttributes.key} = :key`, values: { ':key': eventKey(mode, eventId) } };
      return (await queryPage(events, { where, Select: 'COUNT', Limit: 1 })).count > 0;
    },
  };
}
