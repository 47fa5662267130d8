import { onTestFinished } from 'vitest';
import { createOperatorTables } from '../../lambdas/aws/operator-tables.ts';
import { createOperations } from '../../lambdas/operations/operations.ts';
import { consumerOver } from './consumer.ts';
import { type EventFields, eventBody } from './event-body.ts';
import { meaningOf } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { startTables, tableWriter } from './local-tables.ts';
import { sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

/** The consumer and the operations API over tables of DynamoDB, which end with the test. */
export async function operationsOverTables() {
  const { client, close } = await startTables();
  onTestFinished(close);
  const consume = consumerOver({ writer: tableWriter(client) });
  const tables = createOperatorTables(client, { events: 'events', orders: 'orders' });
  const api = createOperations({
    ...tables,
    meaningOf,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-22T10:00:00.000Z'),
    telemetry: recordTelemetry(),
  });
  return {
    client,
    tables,
    deliver: (fields: EventFields) => consume(sqsEvent({ body: eventBody(fields) })),
    /** Every page of an act. */
    async run(route: string, fields: object = {}) {
      const pages = [];
      let cursor: string | undefined;
      do {
        const body = JSON.stringify({ ...fields, ...(cursor && { cursor }) });
        const response = await api(gatewayEvent({ routeKey: `POST /operations/${route}`, body }));
        const page = JSON.parse(response.body ?? '');
        pages.push(page);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return pages;
    },
  };
}
