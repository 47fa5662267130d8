import { expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
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
