import type { ChangePosition } from '../contract/change-position.ts';
import { comparedOrdersMax, comparedOrdersPage } from '../contract/reconcile-limits.ts';
import { eventAttributes, eventKey } from '../contract/schema.ts';
import { eventIdOf } from '../domain/fact.ts';
import type { Mode } from '../domain/signature.ts';
import { createDynamoDb } from './dynamodb.ts';
import { createEventRows } from './event-rows.ts';
import { createChangeIndex, createOrderReader } from './order-table.ts';
import { queryPage } from './table.ts';

interface DeliveryPlaces {
  readonly eventsTableName: string;
  readonly ordersTableName: string;
}

/** Where a delivered event must be, and what counts that may not have been delivered. */
export function createDeliveryStores({ eventsTableName, ordersTableName }: DeliveryPlaces) {
  const client = createDynamoDb();
  const events = { client, name: eventsTableName };
  const orders = { client, name: ordersTableName };
  const changes = createChangeIndex(orders);
  const rows = createEventRows(events);
  return {
    /**
     * Whether the table has any row of an event. A query and no read of the event's own row: a body that is
     * kept out of its order only has a row of another kind. Eventually consistent: what is looked up is old.
     */
    async isStored(mode: Mode, eventId: string): Promise<boolean> {
      const where = { text: `#${eventAttributes.key} = :key`, values: { ':key': eventKey(mode, eventId) } };
      return (await queryPage(events, { where, Select: 'COUNT', Limit: 1 })).count > 0;
    },
    /** The events that count in orders which have changed since a time; of the first such orders only. */
    async countedSince(mode: Mode, since: number) {
      const keys: string[] = [];
      let after: ChangePosition = { updatedAt: new Date(since).toISOString(), tie: '' };
      let isComplete = false;
      while (!isComplete && keys.length < comparedOrdersMax) {
        const page = await changes.after(mode, after, comparedOrdersPage);
        keys.push(...page.changes.map(({ key }) => key));
        after = page.changes.at(-1) ?? after;
        isComplete = !page.more;
      }
      const found = await createOrderReader(orders, 0).getAll(keys, { consistent: false });
      const facts = [...found.values()].flatMap((row) => row.facts);
      return { eventIds: [...new Set(facts.flatMap((fact) => eventIdOf(fact) ?? []))], isComplete };
    },
    /** When these events were received, in milliseconds since the epoch; without missing ones. */
    async receivedAt(mode: Mode, eventIds: readonly string[]) {
      const found = await rows.summaries(mode, eventIds);
      return new Map([...found].map(([id, row]) => [id, Date.parse(row.receivedAt)]));
    },
  };
}
