import { describe, expect, it } from 'vitest';
import {
  type Change,
  message,
  published,
  remove,
  sentencesAfter,
  set,
  view,
} from '../../../test/doubles/changed-history.ts';
import { type Changeable, sha256, texts } from '../../../test/doubles/sample-history.ts';
import type { History } from '../history.ts';

const [paid, _refund] = ['live:event:evt-1', 'live:event:evt-2'];

const wrong: readonly (readonly [what: string, sentence: string, Change])[] = [
  [
    'a sequence that is not the number of facts',
    'orders: The live order "order-1" has 1 facts and the sequence 2',
    ({ tables }) => {
      const facts = tables.orders[0]?.['facts'];
      if (facts) facts['SS'] = ['["event.1","evt-1"]'];
    },
  ],
  [
    'an erased event without what counts',
    'erased: The live event row of "evt-1" (SHA-256 cd01c769dad3…) was erased by arn:operator, and its row has lost',
    (history) => {
      set('erased', { M: { by: { S: 'arn:operator' }, reason: { S: 'a test' } } }, paid)(history);
      set('body', undefined, paid)(history);
    },
  ],
  [
    'an admission that another judgement replaced',
    'operators: "arn:operator" did admit on "evt-3", and no row shows that judgement.',
    (history) => {
      Object.assign(history.operatorCalls[0] ?? {}, { path: '/operations/admit' });
      const judged = {
        verdict: 'dismissed',
        by: 'arn:operator',
        reason: 'a test',
        at: '2026-11-22T10:30:01.000Z',
      };
      const texts = Object.entries(judged).map(([name, text]) => [name, { S: text }]);
      set('judged', { M: Object.fromEntries(texts) }, 'live:event:evt-3')(history);
    },
  ],
  [
    'a dismissal that an older judgement outlived',
    'operators: "arn:operator" did dismiss on "evt-3", and no row shows that judgement.',
    set(
      'judged',
      { M: { by: { S: 'arn:operator' }, at: { S: '2026-11-22T10:29:59.000Z' } } },
      'live:event:evt-3',
    ),
  ],
  [
    'an order that a reader never got',
    'list: Follower 1 of the live list never got the order "order-2"',
    (history) => {
      const outcome = history.followers[0]?.pages[0]?.outcome;
      if (outcome?.kind === 'status') (outcome.body as { orders: object[] }).orders.pop();
    },
  ],
  [
    'an order of which a reader missed the last state',
    'with sequence 1; it is',
    (history) => {
      view(history, 0);
      const outcome = history.followers[0]?.pages[0]?.outcome;
      if (outcome?.kind !== 'status') return;
      const body = outcome.body as { orders: { sequence: number }[] };
      outcome.body = { ...body, orders: body.orders.map((order) => ({ ...order, sequence: 1 })) };
    },
  ],
  [
    'a list without an end',
    'did not reach the end',
    (history) => {
      const outcome = history.followers[1]?.pages[0]?.outcome;
      if (outcome?.kind === 'status') outcome.body = { orders: [], next_cursor: 'more' };
    },
  ],
  [
    'an order that was never published',
    'feed: The sandbox order "order-1": the feed never published it',
    (history) => {
      history.bus.pop();
    },
  ],
  [
    'a change that was left out',
    'change 2 begins with "paid", and the one before ended with "nothing"',
    ({ bus }) => {
      bus.shift();
    },
  ],
  [
    'a last change that was left out',
    'last published as',
    ({ bus }) => {
      bus.splice(1, 1);
    },
  ],
  [
    'a state that never was',
    'change 1 shows "refunded", which none of its events ever gave it',
    (history) => {
      published(history, 0, { current: { status: 'refunded', attention: [] } });
    },
  ],
  [
    'a cause that is unknown',
    'names events that nothing recorded: "evt-9"',
    (history) => {
      published(history, 0, { caused_by: [{ id: 'evt-9', event_name: 'transaction.paid' }] });
    },
  ],
  [
    'a sequence that never was',
    'published with sequence 9, and it has only 2',
    (history) => {
      published(history, 1, { sequence: 9 });
    },
  ],
  [
    'a live order among sandbox orders',
    'The live order "order-1" was published as payhooks.sandbox',
    ({ bus }) => {
      if (bus[0]) bus[0].source = 'payhooks.sandbox';
    },
  ],
  [
    'one id for two changes',
    'Two different changes were published under the deduplication id',
    ({ bus }) => {
      if (bus[0] && bus[1])
        published({ bus } as Changeable<History>, 1, { id: JSON.parse(bus[0].detail).id });
    },
  ],
  [
    'a change of an order that is not there',
    'was published, and there is no such order',
    (history) => {
      published(history, 4, { order_id: 'order-8' });
    },
  ],
  [
    'a row that should wait',
    'waiting: The live event "evt-5" waits as "nothing"; it should as "unassigned"',
    set('waiting', undefined, 'live:event:evt-5'),
  ],
  [
    'a row that should not wait',
    'waits as "unassigned"; it should as "nothing"',
    set('waiting', { S: 'live:unassigned' }, paid),
  ],
  [
    'a list without what waits',
    'and the list of what waits does not show it',
    (history) => {
      history.finalReads.waiting = [];
    },
  ],
  [
    'a name that nobody sees',
    'The name of a live transaction.odd event has no meaning',
    (history) => remove(history, 'live:name:transaction.odd'),
  ],
  [
    'a wait without an alarm',
    '1 rows wait as "conflict", and the metric EventConflicts ended with 0',
    ({ metrics }) => {
      if (metrics[0]) metrics[0].value = 0;
    },
  ],
  [
    'an alarm without a wait',
    '0 rows wait as "quarantined", and the metric EventsQuarantined ended with 1',
    ({ metrics }) => metrics.push({ at: 0, from: 'waiting-count', name: 'EventsQuarantined', value: 1 }),
  ],
  [
    'dead letters without an alarm',
    'drained: 1 messages are in deadLetters, and its metric shows none',
    (history) => history.queues.deadLetters.push(message(texts.paid)),
  ],
  [
    'a dead letter of which nothing is known',
    'The dead letter m holds a body that payhooks never accepted',
    (history) => history.queues.deadLetters.push(message('{"id":"evil"}')),
  ],
  [
    'a queue that is not empty',
    'The message m is still in the queue after 3 receives',
    (history) => history.queues.events.push(message(texts.paid)),
  ],
  [
    'an act without a record',
    'operators: "arn:operator" did dismiss on "evt-3", and no row of an act',
    (history) => remove(history, 'live:event:evt-3', 'act:'),
  ],
  [
    'an act that the order does not show',
    'which changed "order-1"; the history of the order lacks it',
    (history) => {
      const outcome = history.operatorCalls[0]?.outcome;
      if (outcome?.kind === 'status')
        Object.assign(outcome.body as object, { orders: [{ order_id: 'order-1' }] });
    },
  ],
  [
    'a decision that no operator sent',
    'shows dismissed by "arn:operator" ("a test"), and no operator sent that',
    (history) => {
      history.operatorCalls = [];
    },
  ],
  [
    'the act of a dry run',
    'The history of "live:event:evt-3" shows dismiss by',
    (history) => {
      Object.assign(history.operatorCalls[0]?.body as object, { dry_run: true });
    },
  ],
  [
    'an erased body that is still there',
    'erased: The live event row of "evt-1"',
    set('erased', { M: { by: { S: 'arn:operator' }, reason: { S: 'a test' } } }, paid),
  ],
  [
    'an erased body that came back',
    'erased: The body of the live event "evt-1" was erased, and a row',
    (history) => {
      const outcome = history.operatorCalls[0]?.outcome;
      const erased = [{ event_id: 'evt-1', body_sha256: sha256(texts.paid) }];
      if (outcome?.kind === 'status') Object.assign(outcome.body as object, { erased });
    },
  ],
];

describe('the checker, of what readers and operators see', () => {
  it.each(wrong)('finds %s, and says which', (_, sentence, change) => {
    expect(sentencesAfter(change).join('\n')).toContain(sentence);
  });
});
