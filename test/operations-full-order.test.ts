import { expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { sha256 } from './doubles/older-parser.ts';
import { operationsOver } from './doubles/operations.ts';
import { sharedTables } from './doubles/operators-at-once.ts';

const body = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });

it('too_many_events cannot be resolved, and the other attentions of a full order can', async () => {
  const dispute = fact('d', 'disputed');
  // The row takes the dispute, the mark that it is full, and a resolution.
  const room = { orderBytesMax: Buffer.byteLength(dispute) + 400, headroomBytes: 0 };
  const tables = sharedTables({ room });
  await tables.consume(body({ id: 'd', order: 'A', action: 'disputed' }));
  await tables.consume(body({ id: 'e'.repeat(400), order: 'A' }));
  const listed = () => tables.orderViews()['A']?.attention;
  expect(listed()).toEqual(['disputed', 'too_many_events']);
  const order = { order_id: 'A', sequence: 2 };
  expect(await tables.act('resolve', { ...order, attention: ['too_many_events'] })).toMatchObject({
    status: 409,
    detail: expect.stringContaining('too_many_events cannot be resolved'),
  });
  expect(await tables.act('resolve', order)).toMatchObject({ status: 200, changed: true });
  expect(listed()).toEqual(['too_many_events']);
  expect(await tables.act('resolve', order)).toMatchObject({ status: 200, changed: false });
});

it('a replay leaves an event whose correction its order cannot take, and repeats nothing of it', async () => {
  const room = { orderBytesMax: Buffer.byteLength(fact('e', 'paid')) + 60, headroomBytes: 0 };
  const tables = sharedTables({ room });
  await tables.consume(body({ id: 'e', order: 'A', amount: '1.00' }));
  const row = tables.events.get('live:event:e event');
  if (row === undefined) throw new Error('The event has no row.');
  // This version reads another amount.
  const changed = eventBody({ id: 'e', order: 'A' });
  tables.events.set('live:event:e event', { ...row, body: changed, bodySha256: sha256(changed) });
  const request = JSON.stringify({ event_id: 'e', reason: 'a new version' });
  const response = await operationsOver(tables)(
    gatewayEvent({ routeKey: 'POST /operations/replay', body: request }),
  );
  expect(JSON.parse(response.body ?? '')).toMatchObject({
    replayed: 0,
    left: [{ event_id: 'e', reason: 'order_full' }],
  });
  expect(tables.orderViews()['A']).toMatchObject({ status: 'paid', events: ['e'] });
});
