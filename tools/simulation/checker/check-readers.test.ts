import { describe, expect, it } from 'vitest';
import {
  type Change,
  message,
  published,
  remove,
  sentencesAfter,
  set,
} from '../../../test/doubles/changed-history.ts';
import { type Changeable, sha256, texts } from '../../../test/doubles/sample-history.ts';
import type { History } from '../history.ts';

const paid = 'live:event:evt-1';
const decision = { by: 'arn:operator', reason: 'a test', at: '2026-11-22T10:30:00.000Z' };
const decided = (more: Readonly<Record<string, string>> = {}) => ({
  M: Object.fromEntries(Object.entries({ ...decision, ...more }).map(([name, text]) => [name, { S: text }])),
});
const pageOf = (history: Changeable<History>, n: number) => {
  const outcome = history.followers[n]?.pages[0]?.outcome;
  return outcome?.kind === 'status' ? (outcome.body as { orders: { sequence: number }[] }) : { orders: [] };
};
const respond = (history: Changeable<History>, fields: object): void => {
  const outcome = history.operatorCalls[0]?.outcome;
  if (outcome?.kind === 'status') Object.assign(outcome.body as object, fields);
};

const wrong: Readonly<Record<string, readonly [sentence: string, Change]>> = {
  'an order that a reader never got': [
    'list: Follower 1 of the live list never got the order "order-2"',
    (history) => pageOf(history, 0).orders.pop(),
  ],
  'an order of which a reader missed the last state': [
    'with sequence 1; it is',
    (history) => {
      const page = pageOf(history, 0);
      page.orders = page.orders.map((order) => ({ ...order, sequence: 1 }));
    },
  ],
  'a list without an end': [
    'did not reach the end',
    (history) => Object.assign(pageOf(history, 1), { orders: [], next_cursor: 'more' }),
  ],
  'an order that was never published': [
    'feed: The sandbox order "order-1": the feed never published it',
    ({ bus }) => bus.pop(),
  ],
  'a change that was left out': [
    'change 2 begins with "paid", and the one before ended with "nothing"',
    ({ bus }) => bus.shift(),
  ],
  'a last change that was left out': ['last published as', ({ bus }) => bus.splice(2, 1)],
  'a state that never was': [
    'change 1 shows "refunded", which none of its events ever gave it',
    (history) => published(history, 0, { current: { status: 'refunded', attention: [] } }),
  ],
  'a cause that is unknown': [
    'names events that nothing recorded: "evt-9"',
    (history) => published(history, 0, { caused_by: [{ id: 'evt-9', event_name: 'transaction.paid' }] }),
  ],
  'a sequence that never was': [
    'published with sequence 9, and it has only 3',
    (history) => published(history, 2, { sequence: 9 }),
  ],
  'a live order among sandbox orders': [
    'The live order "order-1" was published as payhooks.sandbox',
    ({ bus }) => Object.assign(bus[0] ?? {}, { source: 'payhooks.sandbox' }),
  ],
  'one id for two changes': [
    'Two different changes were published under the deduplication id',
    (history) => published(history, 1, { id: JSON.parse(history.bus[0]?.detail ?? '').id }),
  ],
  'a change of an order that is not there': [
    'was published, and there is no such order',
    (history) => published(history, 5, { order_id: 'order-8' }),
  ],
  'a list without what waits': [
    'and the list of what waits does not show it',
    (history) => Object.assign(history.finalReads, { waiting: [] }),
  ],
  'a name that nobody sees': [
    'The name of a live transaction.odd event has no meaning',
    (history) => remove(history, 'live:name:transaction.odd'),
  ],
  'a name without a meaning that does not wait': [
    'The live name "transaction.odd" waits as "nothing"; it should as "event_name"',
    set('waiting', undefined, 'live:name:transaction.odd'),
  ],
  'a name that waits although it has a meaning now': [
    'The live name "transaction.odd" waits as "event_name"; it should as "nothing"',
    ({ settings }) => Object.assign(settings, { eventMeanings: { 'transaction.odd': 'history' } }),
  ],
  'a wait without an alarm': [
    '1 rows wait as "conflict", and the metric EventConflicts ended with 0',
    ({ metrics }) => Object.assign(metrics[0] ?? {}, { value: 0 }),
  ],
  'an alarm without a wait': [
    '0 rows wait as "quarantined", and the metric EventsQuarantined ended with 1',
    ({ metrics }) => metrics.push({ at: 0, from: 'waiting-count', name: 'EventsQuarantined', value: 1 }),
  ],
  'dead letters without an alarm': [
    'drained: 1 messages are in deadLetters, and its metric shows none',
    ({ queues }) => queues.deadLetters.push(message(texts.paid)),
  ],
  'a dead letter of which nothing is known': [
    'The dead letter m holds a body that payhooks never accepted',
    ({ queues }) => queues.deadLetters.push(message('{"id":"evil"}')),
  ],
  'a queue that is not empty': [
    'The message m is still in the queue after 3 receives',
    ({ queues }) => queues.events.push(message(texts.paid)),
  ],
  'an act without a record': [
    'operators: "arn:operator" did dismiss on "evt-3", and no row of an act',
    (history) => remove(history, 'live:event:evt-3', 'act:'),
  ],
  'a decision without its act': [
    'The live row of "evt-3" shows admit by "arn:operator" ("a test"), and no row of an act does',
    (history) => remove(history, 'live:event:evt-3', 'act:'),
  ],
  'an act that the order does not show': [
    'which changed "order-1"; the history of the order lacks it',
    (history) => respond(history, { orders: [{ order_id: 'order-1' }] }),
  ],
  'two operators who both dismissed': [
    'was done by arn:operator and arn:operator',
    ({ tables }) => tables.events.push(tables.events.find((row) => row['act']) ?? {}),
  ],
  'a decision that no operator sent': [
    'shows admit by "arn:operator" ("a test"), and no operator sent that',
    (history) => Object.assign(history, { operatorCalls: [] }),
  ],
  'the act of a dry run': [
    'The history of "live:event:evt-3" shows dismiss by',
    (history) => Object.assign(history.operatorCalls[0]?.body as object, { dry_run: true }),
  ],
  'a resolution that no operator sent': [
    '"live:order:order-1" shows resolve by "arn:operator"',
    ({ tables }) => {
      const { by, at, reason } = decision;
      const facts = tables.orders[0]?.['facts']?.['SS'] as string[];
      facts.push(JSON.stringify(['resolved', 'disputed', '', by, at, reason]));
    },
  ],
  'an admission that another judgement replaced': [
    'operators: "arn:operator" did admit on "evt-3", and no row shows that judgement.',
    (history) => {
      Object.assign(history.operatorCalls[0] ?? {}, { path: '/operations/admit' });
      set('judged', decided({ at: '2026-11-22T10:30:01.000Z' }), 'live:event:evt-3')(history);
    },
  ],
  'a dismissal that an older judgement outlived': [
    'operators: "arn:operator" did dismiss on "evt-3", and no row shows that judgement.',
    set('judged', decided({ at: '2026-11-22T10:29:59.000Z' }), 'live:event:evt-3'),
  ],
  'an erased body that is still there': [
    'erased: The live event row of "evt-1"',
    set('erased', decided(), paid),
  ],
  'an erased body that came back': [
    'erased: The body of the live event "evt-1" was erased, and a row',
    (history) => respond(history, { erased: [{ event_id: 'evt-1', body_sha256: sha256(texts.paid) }] }),
  ],
};

describe('the checker, of what readers and operators see', () => {
  it.each(Object.entries(wrong))('finds %s, and says which', (_, [sentence, change]) => {
    expect(sentencesAfter(change).join('\n')).toContain(sentence);
  });

  it('accepts an order that the feed gave up on, and no other', () => {
    const giveUp = (key: string) =>
      sentencesAfter((history) => {
        history.bus.splice(2, 1);
        const after = { order_key: { S: key }, sequence: { N: '1' } };
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

  it('accepts a removed key in the first five minutes', () => {
    const sentences = sentencesAfter((history) => {
      history.secretValues.push({ at: history.startedAt, keys: [] });
      history.deliveries.length = 1;
    });
    expect(sentences.filter((one) => one.startsWith('responses'))).toEqual([]);
  });
});

describe('the body of an event, with a retention of 20 days', () => {
  const bodyRow = (id: string, text: string) => ({
    ...{ event_key: { S: `live:event:${id}` }, record: { S: `body:${sha256(text)}` } },
    ...{ body: { B: Buffer.from(text).toString('base64') }, body_encoding: { S: 'identity' } },
  });
  const own = bodyRow('evt-1', texts.paid);
  const lonely = bodyRow('evt-5', texts.lonely);
  const expire =
    (days: number, row: typeof own): Change =>
    ({ expiredRows, startedAt }) =>
      expiredRows.push({ at: startedAt + days * 24 * 60 * 60 * 1_000, table: 'events', row });
  const keep =
    (row: object): Change =>
    ({ tables }) =>
      tables.events.push(row as typeof own);
  const retained = (...changes: readonly Change[]): readonly string[] =>
    sentencesAfter((history) => {
      history.settings.eventRetentionDays = 20;
      for (const row of history.tables.events)
        if (!row['waiting'] || row['record']?.['S'] === 'event') delete row['body'];
      for (const change of changes) change(history);
    }).filter((sentence) => sentence.startsWith('retention'));
  const sentence = (id: string, what: string): string[] => [
    `retention: The body of the live event "${id}" ${what}`,
  ];

  it('expires after its days', () => {
    expect(retained(expire(21, own))).toEqual([]);
    expect(retained(expire(19, own))).toEqual(sentence('evt-1', 'expired before its 20 days had passed.'));
  });

  it('does not expire while its event waits', () => {
    const expired = 'has expired, and the event waits for a person, who needs it.';
    expect(retained(expire(21, lonely))).toEqual(sentence('evt-5', expired));
    const expires = 'will expire, and the event waits for a person, who needs it.';
    expect(retained(keep({ ...lonely, expires_at: { N: '1' } }))).toEqual(sentence('evt-5', expires));
  });

  it('has an end otherwise', () => {
    expect(retained(keep({ ...own, expires_at: { N: '1' } }))).toEqual([]);
    expect(retained(keep(own))).toEqual(sentence('evt-1', 'never expires, and nothing waits for it.'));
    expect(retained(set('body', own.body, paid))).toEqual(
      sentence('evt-1', 'is in a row that never expires.'),
    );
  });
});
