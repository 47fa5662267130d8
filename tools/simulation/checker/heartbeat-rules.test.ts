import { expect, it } from 'vitest';
import { type Change, sentencesAfter } from '../../../test/doubles/changed-history.ts';

const id = '2026-11-22T10:01:00.000Z 1';
const message = (source: string, detailType: string) => ({
  ...{ at: 0, id: 'm', source, detailType },
  detail: JSON.stringify({ order_id: id, mode: 'heartbeat', current: { status: 'paid', attention: [] } }),
});

/** A heartbeat that went the whole way. */
const beat: Change = ({ tables, bus, metrics, logLines }) => {
  logLines.push({ at: 0, stage: 'heartbeat', text: '{"level":"INFO","message":"heartbeat sent"}' });
  tables.orders.push({ order_key: { S: `heartbeat:order:${id}` }, expires_at: { N: '1' } });
  tables.events.push({
    event_key: { S: 'heartbeat:event:1' },
    record: { S: 'event' },
    expires_at: { N: '1' },
  });
  bus.push(message('payhooks.heartbeat', 'Heartbeat'));
  metrics.push({ at: 0, from: 'heartbeat', name: 'HeartbeatReturned', value: 1 });
};

const wrong: readonly (readonly [what: string, sentence: string, Change])[] = [
  [
    'that got 202 and is not recorded',
    '2 heartbeats got 202, and 1 are recorded.',
    ({ logLines }) => logLines.push({ at: 0, stage: 'heartbeat', text: '{"message":"heartbeat sent"}' }),
  ],
  [
    'that is recorded and was never published',
    `"heartbeat:order:${id}" is recorded, and was never published.`,
    ({ bus }) => bus.pop(),
  ],
  [
    'that is not counted when it returns',
    '1 heartbeats were published, and 0 were counted as returned.',
    ({ metrics }) => metrics.pop(),
  ],
  [
    'that is counted, and never came',
    '0 heartbeats were published, and 1 were counted as returned.',
    ({ bus, tables }) => {
      bus.pop();
      tables.orders.pop();
    },
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

it.each(wrong)('the checker finds a heartbeat %s', (_, sentence, change) => {
  const sentences = sentencesAfter((history) => {
    beat(history);
    change(history);
  });
  expect(sentences).toContain(`heartbeats: ${sentence}`);
});
