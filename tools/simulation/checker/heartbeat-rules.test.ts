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
  heartbeats.push({ at: sentAt, body: body(id), status: 202 });
  tables.orders.push({ order_key: { S: `heartbeat:order:${id}` }, expires_at: { N: '1' } });
  tables.events.push({
    event_key: { S: 'heartbeat:event:1' },
    record: { S: 'event' },
    expires_at: { N: '1' },
  });
  bus.push(message('payhooks.heartbeat', 'Heartbeat'));
  metrics.push({ at: sentAt + 1_500, from: 'heartbeat', name: 'HeartbeatReturned', value: 1.5 });
};

const wrong: readonly (readonly [what: string, sentence: string, Change])[] = [
  [
    'that got 202 and is not recorded, whatever else is',
    'A heartbeat got 202, and "heartbeat:event:1" is not recorded.',
    ({ tables }) => Object.assign(tables.events.at(-1) ?? {}, { event_key: { S: 'heartbeat:event:2' } }),
  ],
  [
    'whose order is missing',
    `A heartbeat got 202, and "heartbeat:order:${id}" is not recorded.`,
    ({ tables }) => tables.orders.pop(),
  ],
  [
    'that is recorded and was never sent',
    `"heartbeat:order:${id}" is recorded, and was never sent.`,
    ({ heartbeats }) => heartbeats.pop(),
  ],
  [
    'that is recorded and was never published',
    `"heartbeat:order:${id}" is recorded, and was never published.`,
    ({ bus }) => bus.pop(),
  ],
  [
    'that is not counted when it returns, although another one is counted twice',
    `The heartbeat "${id}" was published, and not counted as returned.`,
    ({ metrics }) => Object.assign(metrics.at(-1) ?? {}, { at: sentAt + 61_500 }),
  ],
  [
    'that is counted, and never came',
    'A heartbeat sent about 2026-11-22T10:01:00.000Z was counted as returned, and never published.',
    ({ bus }) => bus.pop(),
  ],
  [
    'whose row never expires',
    'The row "heartbeat:event:1" of a heartbeat waits, or never expires.',
    ({ tables }) => delete tables.events.at(-1)?.['expires_at'],
  ],
  [
    'whose row waits',
    'The row "heartbeat:event:1" of a heartbeat waits, or never expires.',
    ({ tables }) => Object.assign(tables.events.at(-1) ?? {}, { waiting: { S: 'heartbeat:unassigned' } }),
  ],
  [
    'that is published as a change of an order',
    'The message m is a OrderStatusChanged of payhooks.heartbeat.',
    ({ bus }) => bus.push(message('payhooks.heartbeat', 'OrderStatusChanged')),
  ],
];

it('a heartbeat that goes the whole way breaks no rule', () => {
  expect(sentencesAfter(beat)).toEqual([]);
});

it('one that still waits in a queue, or got no 202, breaks no rule', () => {
  const sentences = sentencesAfter(({ heartbeats, queues }) => {
    const message = { id: 'm', attributes: { mode: 'heartbeat' }, sentAt, receives: 1 };
    heartbeats.push(
      { at: sentAt, body: body(id), status: 202 },
      { at: sentAt, body: body('x'), status: 503 },
    );
    queues.events.push({ ...message, body: body(id) });
  });
  expect(sentences.filter((sentence) => sentence.startsWith('heartbeats'))).toEqual([]);
});

it('the time of one that is counted may be wrong by what the clock of its function is', () => {
  const skewed = (skewMilliseconds: number): readonly string[] =>
    sentencesAfter(beat, ({ metrics, invocations }) => {
      Object.assign(metrics.at(-1) ?? {}, { value: 1.7 });
      const invocation = { at: 0, endedAt: 0, version: 'new', instance: 1, end: 'returned' } as const;
      invocations.push({ ...invocation, stage: 'heartbeat', skewMilliseconds });
    });
  expect(skewed(200)).toEqual([]);
  expect(skewed(199).length).toBe(2);
});

it.each(wrong)('the checker finds a heartbeat %s', (_, sentence, change) => {
  const sentences = sentencesAfter((history) => {
    beat(history);
    change(history);
  });
  expect(sentences).toContain(`heartbeats: ${sentence}`);
});
