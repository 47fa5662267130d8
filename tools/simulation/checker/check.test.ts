import { describe, expect, it } from 'vitest';
import {
  type Change,
  message,
  remove,
  rowsOf,
  sentencesAfter,
  set,
  status,
  view,
} from '../../../test/doubles/changed-history.ts';
import { sampleHistory, sha256, texts } from '../../../test/doubles/sample-history.ts';
import { check } from './check.ts';

const [paid, refund] = ['live:event:evt-1', 'live:event:evt-2'];

const wrong: readonly (readonly [what: string, sentence: string, Change])[] = [
  [
    'a lock that has expired',
    'recorded: The live event row of "evt-1" (SHA-256 cd01c769dad3…) has expired',
    (history) => {
      const [row = {}] = rowsOf(history, paid);
      remove(history, paid);
      history.expiredRows.push({ at: history.endedAt, table: 'events', row });
    },
  ],
  [
    'a lost event',
    'recorded: LOST: webhook 1 got 202, and no row holds the live event "evt-2"',
    (history) => remove(history, refund),
  ],
  [
    'a body without its bytes',
    'recorded: The live event row of "evt-1" (SHA-256 cd01c769dad3…) has lost its bytes',
    set('body', undefined, paid),
  ],
  ['other bytes', 'holds other bytes than were sent', set('body', { B: 'e30=' }, paid)],
  ['a lost signature', 'has not the signature with which it was sent', set('signature', undefined, paid)],
  ['another signature', 'has not the signature', set('signature', { B: 'ffff' }, paid)],
  [
    'two rows for one body',
    'recorded: 2 rows hold the live event "evt-1"',
    ({ tables }) => {
      const [row] = tables.events;
      tables.events.push({ ...row, record: { S: 'variant:x' } });
    },
  ],
  [
    'an id that is not in the bytes',
    'says in its signed bytes that it is the event "evt-1"',
    set('event_key', { S: 'live:event:evt-9' }, paid),
  ],
  [
    'a needless quarantine',
    'is in quarantine for undefined, and nothing in its bytes is wrong',
    set('record', { S: 'quarantine:x' }, paid),
  ],
  [
    'another reason for a quarantine',
    'is in quarantine for order_id_invalid; its bytes say sandbox_flag',
    set('reason', { S: 'order_id_invalid' }, 'live:event:evt-3', 'quarantine'),
  ],
  [
    'an event among what is no event',
    'is no event',
    set('record', { S: 'event' }, `live:body:${sha256(texts.noEvent)}`),
  ],
  ['an invented body', 'invented: The live event row of "evt-1"', set('body_sha256', { S: 'abc' }, paid)],
  [
    'a forged body',
    'invented: The live event row of "evil"',
    ({ tables }) => {
      const hash = { S: sha256('{"id":"evil"}') };
      const [row] = tables.events;
      tables.events.push({ ...row, event_key: { S: 'live:event:evil' }, body_sha256: hash });
    },
  ],
  [
    'a body of which every delivery was refused',
    'holds a body of which every delivery was refused',
    (history) => {
      for (const attempt of history.deliveries[0]?.attempts ?? [])
        attempt.outcome = { kind: 'status', status: 403, body: '' };
    },
  ],
  [
    'a sandbox body in live mode',
    'holds a body that only a sandbox key signed: modes have met',
    set('event_key', { S: 'live:event:evt-1' }, 'sandbox:event:evt-1'),
  ],
  ['a forged webhook that is accepted', 'responses: Webhook 99 (forged)', status(99, 202)],
  ['a genuine webhook that is refused', 'got 403 although its key was in the secret', status(0, 403)],
  ['a small webhook that is too large', 'got 413 with only', status(0, 413)],
  ['a response that does not exist', 'got 404, which payhooks never responds', status(0, 404)],
  [
    'a key that works after it was removed',
    'got 202 although its key had been removed',
    (history) => {
      history.secretValues.push({ at: history.startedAt - 600_000, keys: [] });
    },
  ],
  [
    'a key that works after its end',
    'got 202 although its key had been removed or had expired',
    (history) => {
      for (const key of history.secretValues[0]?.keys ?? []) key.acceptedUntil = history.startedAt - 1;
    },
  ],
  [
    'a wrong status',
    'orders: The live order "order-1" shows',
    (history) => {
      view(history, 0)['status'] = 'paid';
    },
  ],
  [
    'a wrong amount',
    'orders: The live order "order-2" shows',
    (history) => {
      view(history, 1)['transactions'] = [];
    },
  ],
  [
    'a missing attention',
    'its events give it ["[\\"paid\\",[\\"conflicting_event\\"]',
    (history) => {
      view(history, 1)['attention'] = [];
    },
  ],
  [
    'an event that does not count',
    'orders: The sandbox order "order-1" shows',
    (history) => {
      view(history, 2)['events'] = [];
    },
  ],
  [
    'an order that is not there',
    'does not exist, although "evt-1", "evt-2" belong to it',
    (history) => {
      const [call] = history.finalReads.orders;
      if (call) call.outcome = { kind: 'status', status: 404, body: {} };
    },
  ],
  [
    'an invented order',
    'The live order "order-7" exists, and no event that was recorded',
    ({ tables }) =>
      tables.orders.push({ order_key: { S: 'live:order:order-7' }, order_id: { S: 'order-7' } }),
  ],
  [
    'an event that is applied too soon',
    'shows "applied"; expected "unassigned',
    set('outcome', { S: 'applied' }, 'live:event:evt-5'),
  ],
  [
    'an event that is assigned elsewhere',
    'shows "applied order-2"; expected "applied order-1',
    set('assigned_order_id', { S: 'order-2' }, refund),
  ],
];

describe('the checker', () => {
  it('finds nothing in a run in which something of every kind happened', () => {
    expect(check(sampleHistory())).toEqual([]);
  });

  it.each(wrong)('finds %s, and says which', (_, sentence, change) => {
    expect(sentencesAfter(change).join('\n')).toContain(sentence);
  });

  it('accepts a lost event that is in the dead-letter queue, with its alarm', () => {
    const sentences = sentencesAfter((history) => {
      remove(history, 'live:event:evt-5');
      history.queues.deadLetters.push(message(texts.lonely));
      history.metrics.push(
        { at: 1, from: 'deadLetters', name: 'ApproximateNumberOfMessagesVisible', value: 1 },
        { at: 1, from: 'waiting-count', name: 'EventsUnassigned', value: 0 },
      );
    });
    expect(sentences).toEqual([]);
  });

  it('accepts an order that the feed gave up on, and no other', () => {
    const giveUp = (key: string) =>
      sentencesAfter((history) => {
        history.bus.splice(1, 1);
        const after = { order_key: { S: key } };
        history.streamRecords.push({ at: 0, sequenceNumber: '7', before: undefined, after });
        const failure = { DDBStreamBatchInfo: { sequenceNumbers: ['7'] } };
        history.queues.feedFailures.push({ ...message(''), body: JSON.stringify(failure) });
        history.metrics.push({
          ...{ at: 1, from: 'feedFailures', name: 'ApproximateNumberOfMessagesVisible', value: 1 },
        });
      });
    expect(giveUp('live:order:order-1')).toEqual([]);
    expect(giveUp('live:order:order-2').join()).toContain(
      'feed: The live order "order-1": last published as',
    );
  });

  it('accepts a body that has expired, and a removed key in the first five minutes', () => {
    const sentences = sentencesAfter((history) => {
      const [row] = rowsOf(history, paid);
      const own = { ...row, record: { S: `body:${sha256(texts.paid)}` } };
      history.expiredRows.push({ at: history.endedAt, table: 'events', row: own });
      delete row?.['body'];
      history.secretValues.push({ at: history.startedAt, keys: [] });
      history.deliveries.length = 1;
      for (const list of [history.tables.events, history.tables.orders]) list.length = 0;
      history.tables.events.push(row ?? {});
    });
    expect(sentences.filter((one) => /^(recorded|responses)/.test(one))).toEqual([]);
  });
});
