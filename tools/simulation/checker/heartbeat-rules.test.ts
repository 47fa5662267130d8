import { expect, it } from 'vitest';
import { type Change, sentencesAfter } from '../../../test/doubles/changed-history.ts';

const id = '2026-11-22T10:01:00.000Z 1';
const sentAt = Date.UTC(2026, 10, 22, 10, 1);
const body = (order_id: string): string =>
  Buffer.from(JSON.stringify({ id: '1', payload: { transaction: { order_id } } })).toString('base64');
const message = (source: string, detailType: string) => ({
  ...{ at: 0, id: 'm', source, detailType },
  detail: JSON.stringify({ order_id: id, mode: 'heartbeat', current: { status: 'paid', attention: [] } }),
});

/** A heartbeat that went the whole way. */
const beat: Change = ({ tables, bus, metrics, heartbeats }) => {
  const event = { event_key: { S: 'heartbeat:event:1' }, record: { S: 'event' } };
  heartbeats.push({ at: sentAt, body: body(id), status: 202 });
  tables.orders.push({ order_key: { S: `heartbeat:order:${id}` }, expires_at: { N: '1' } });
  tables.events.push({ ...event, expires_at: { N: '1' } });
  bus.push(message('payhooks.heartbeat', 'Heartbeat'));
  metrics.push({ at: sentAt + 1_500, from: 'heartbeat', name: 'HeartbeatReturned', value: 1.5 });
};
const setEvent =
  (fields: object): Change =>
  ({ tables }) =>
    Object.assign(tables.events.at(-1) ?? {}, fields);

const wrong: Readonly<Record<string, readonly [sentence: string, Change]>> = {
  'that got 202 and is not recorded, whatever else is': [
    'A heartbeat got 202, and "heartbeat:event:1" is not recorded.',
    setEvent({ event_key: { S: 'heartbeat:event:2' } }),
  ],
  'whose order is missing': [
    `A heartbeat got 202, and "heartbeat:order:${id}" is not recorded.`,
    ({ tables }) => tables.orders.pop(),
  ],
  'that is recorded and was never sent': [
    `"heartbeat:order:${id}" is recorded, and was never sent.`,
    ({ heartbeats }) => heartbeats.pop(),
  ],
  'that is recorded and was never published': [
    `"heartbeat:order:${id}" is recorded, and was never published.`,
    ({ bus }) => bus.pop(),
  ],
  'that is not counted, although another one is counted twice': [
    'The heartbeat of 2026-11-22T10:01:00.000Z was published, and not counted.',
    ({ metrics }) => Object.assign(metrics.at(-1) ?? {}, { at: sentAt + 61_500 }),
  ],
  'that is counted, and never came': [
    'A heartbeat of 2026-11-22T10:01:00.000Z was counted, and never published.',
    ({ bus }) => bus.pop(),
  ],
  'whose row never expires': [
    'The row "heartbeat:event:1" of a heartbeat waits, or never expires.',
    ({ tables }) => delete tables.events.at(-1)?.['expires_at'],
  ],
  'whose row waits': [
    'The row "heartbeat:event:1" of a heartbeat waits, or never expires.',
    setEvent({ waiting: { S: 'heartbeat:unassigned' } }),
  ],
  'that is published as a change of an order': [
    'The message m is a OrderStatusChanged of payhooks.heartbeat.',
    ({ bus }) => bus.push(message('payhooks.heartbeat', 'OrderStatusChanged')),
  ],
};

it('a heartbeat that goes the whole way, or still waits in a queue, or got no 202 breaks no rule', () => {
  expect(sentencesAfter(beat)).toEqual([]);
  const sentences = sentencesAfter(({ heartbeats, queues }) => {
    const attempt = { at: sentAt, body: body(id) };
    heartbeats.push({ ...attempt, status: 202 }, { ...attempt, body: body('x'), status: 503 });
    queues.events.push({ id: 'm', attributes: { mode: 'heartbeat' }, sentAt, receives: 1, body: body(id) });
  });
  expect(sentences.filter((sentence) => sentence.startsWith('heartbeats'))).toEqual([]);
});

it('the time of one that is counted may be wrong by what the clock of its function is', () => {
  const skewed = (skewMilliseconds: number): number =>
    sentencesAfter(beat, ({ metrics, invocations }) => {
      Object.assign(metrics.at(-1) ?? {}, { value: 1.7 });
      const invocation = { at: 0, endedAt: 0, version: 'new', instance: 1, end: 'returned' } as const;
      invocations.push({ ...invocation, stage: 'heartbeat', skewMilliseconds });
    }).length;
  expect([skewed(200), skewed(199)]).toEqual([0, 2]);
});

it.each(Object.entries(wrong))('the checker finds a heartbeat %s', (_, [sentence, change]) => {
  expect(sentencesAfter(beat, change)).toContain(`heartbeats: ${sentence}`);
});
