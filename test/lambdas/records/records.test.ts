import { expect, it } from 'vitest';
import { eventRecord } from '../../../lambdas/contract/schema.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { operationsOver } from '../../doubles/operations.ts';
import { request } from '../../doubles/order-query.ts';

it('an event of which all bodies are in quarantine has none with another hash', async () => {
  const tables = createMemoryTables();
  const row = eventRow('evt-1', { outcome: 'quarantined', waiting: 'quarantined' });
  await tables.open().store.put({ ...row, record: eventRecord.quarantine(row.bodySha256) });
  const read = (body_sha256: string) =>
    request(operationsOver(tables), {
      routeKey: 'GET /operations/bodies/events/{event_id}',
      pathParameters: { event_id: 'evt-1' },
      queryStringParameters: { body_sha256 },
    });
  expect((await read(row.bodySha256)).body.records).toHaveLength(1);
  expect((await read('0'.repeat(64))).body).toMatchObject({ status: 404 });
});
