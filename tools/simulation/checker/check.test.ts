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
import { factOf, sampleHistory, sha256, sign, texts } from '../../../test/doubles/sample-history.ts';
import { check } from './check.ts';

const [paid, refund] = ['live:event:evt-1', 'live:event:evt-2'];
const factsAre =
  (n: number, ...facts: readonly string[]): Change =>
  ({ tables }) =>
    Object.assign(tables.orders[n] ?? {}, { facts: { SS: [...facts] } });
const conflict = JSON.stringify(['conflict', 'evt-4', sha256(texts.second)]);

const wrong: Readonly<Record<string, readonly [sentence: string, Change]>> = {
  'a lock that has expired': [
    'recorded: The live event row of "evt-1" (SHA-256 cd01c769dad3…) has expired',
    (history) => {
      const [row = {}] = rowsOf(history, paid);
      remove(history, paid);
      history.expiredRows.push({ at: history.endedAt, table: 'events', row });
    },
  ],
  'a lost event': [
    'recorded: LOST: webhook 1 got 202, and no row holds the live event "evt-2"',
    (history) => remove(history, refund),
  ],
  'a body without its bytes': ['has lost its bytes', set('body', undefined, paid)],
  'other bytes': ['holds other bytes than were sent', set('body', { B: 'e30=' }, paid)],
  'bytes that cannot be read': ['holds other bytes', set('body_encoding', undefined, paid)],
  'a lost signature': ['has not the signature with which it was sent', set('signature', undefined, paid)],
  'another signature': ['has not the signature', set('signature', { B: 'ffff' }, paid)],
  'two rows for one body': [
    'recorded: 2 rows hold the live event "evt-1"',
    ({ tables }) => tables.events.push({ ...tables.events[0], record: { S: 'conflict:x' } }),
  ],
  'an id that is not in the bytes': [
    'says in its signed bytes that it is the event "evt-1"',
    set('event_key', { S: 'live:event:evt-9' }, paid),
  ],
  'a needless quarantine': [
    'is in quarantine for undefined, and nothing in its bytes is wrong',
    set('record', { S: 'quarantine:x' }, paid),
  ],
  'another reason for a quarantine': [
    'is in quarantine for order_id_invalid; its bytes say sandbox_flag',
    set('reason', { S: 'order_id_invalid' }, 'live:event:evt-3', 'quarantine'),
  ],
  'an event among what is no event': [
    'is no event',
    set('record', { S: 'event' }, `live:body:${sha256(texts.noEvent)}`),
  ],
  'a reading that is not in the bytes': [
    'has the reading ["evt-1","transaction.paid","paid","order-9","T-1","100.00","USD",null]; its bytes say',
    set('order_id', { S: 'order-9' }, paid),
  ],
  'a body that no key signed': ['no key of the account signed', set('body_sha256', { B: 'abcd' }, paid)],
  'a forged body': [
    'invented: The live event row of "evil"',
    ({ tables }) => {
      const hash = { B: Buffer.from(sha256('{"id":"evil"}'), 'hex').toString('base64') };
      tables.events.push({ ...tables.events[0], event_key: { S: 'live:event:evil' }, body_sha256: hash });
    },
  ],
  'a body of which every delivery was refused': [
    'holds a body of which every delivery was refused',
    (history) => {
      for (const attempt of history.deliveries[0]?.attempts ?? [])
        attempt.outcome = { kind: 'status', status: 403, body: '' };
    },
  ],
  'a sandbox body in live mode': [
    'holds a body that only a sandbox key signed: modes have met',
    set('event_key', { S: 'live:event:evt-1' }, 'sandbox:event:evt-1'),
  ],
  'a forged webhook that is accepted': ['responses: Webhook 99 (forged)', status(99, 202)],
  'a genuine webhook that is refused': ['got 403 although its key was in the secret', status(0, 403)],
  'a small webhook that is too large': ['got 413 with only', status(0, 413)],
  'a response that does not exist': ['got 404, which payhooks never responds', status(0, 404)],
  'a key that works after it was removed': [
    'got 202 although its key had been removed',
    (history) => history.secretValues.push({ at: history.startedAt - 600_000, keys: [] }),
  ],
  'a key that works after its end': [
    'got 202 although its key had been removed or had expired',
    (history) => {
      for (const key of history.secretValues[0]?.keys ?? []) key.acceptedUntil = history.startedAt - 1;
    },
  ],
  'a wrong status': [
    'orders: The live order "order-1" shows',
    (history) => Object.assign(view(history, 0), { status: 'paid' }),
  ],
  'a wrong amount': [
    'orders: The live order "order-2" shows',
    (history) => Object.assign(view(history, 1), { transactions: [] }),
  ],
  'a missing attention': [
    'its events give it ["[\\"paid\\",[\\"conflicting_event\\"]',
    (history) => Object.assign(view(history, 1), { attention: [] }),
  ],
  'an event that is not shown': [
    'orders: The sandbox order "order-1" shows',
    (history) => Object.assign(view(history, 2), { events: [] }),
  ],
  'another sequence than is stored': [
    'shows the sequence 3; it is 1000000003',
    (history) => Object.assign(history.settings, { sequenceBase: 1_000_000_000 }),
  ],
  'an order that readers do not get': [
    'The live order "order-1" exists, and a reader does not get it',
    (history) => {
      const [call] = history.finalReads.orders;
      if (call) call.outcome = { kind: 'status', status: 404, body: {} };
    },
  ],
  'an order without a row': ['does not exist, although', ({ tables }) => tables.orders.shift()],
  'an invented order': [
    'The live order "order-7" exists, and no event that was recorded',
    ({ tables }) => tables.orders.push({ order_key: { S: 'live:order:order-7' }, sequence: { N: '1' } }),
  ],
  'a fact that its order lacks': [
    '"order-1" lacks ["refunded","evt-2"',
    factsAre(0, factOf('paid'), conflict),
  ],
  'a fact that belongs elsewhere': [
    'The sandbox order "order-1" holds ["paid","evt-4"',
    factsAre(2, factOf('tried'), factOf('first')),
  ],
  'a transaction without the entry of an event': [
    'The row of the live transaction "T-1" holds ["refunded"',
    set('entries', { SS: [factOf('refund')] }, 'live:transaction:T-1'),
  ],
  'a sequence that does not grow with the facts': [
    'With a change of its facts the sequence of "live:order:order-1" went from 3 to 3.',
    ({ tables, streamRecords }) => {
      const [after = {}] = tables.orders;
      streamRecords.push({ at: 0, sequenceNumber: '1', before: { ...after, facts: { SS: ['a'] } }, after });
    },
  ],
  'a sequence that goes back': [
    'With a write the sequence of "live:order:order-1" went from 9 to 3.',
    ({ tables, streamRecords }) => {
      const [after = {}] = tables.orders;
      streamRecords.push({ at: 0, sequenceNumber: '1', before: { ...after, sequence: { N: '9' } }, after });
    },
  ],
  'an event that is applied too soon': [
    'shows "applied, waits as unassigned"; expected "unassigned, waits as unassigned"',
    set('outcome', { S: 'applied' }, 'live:event:evt-5'),
  ],
  'an event that is assigned elsewhere': [
    'shows "applied, in order-2"; expected "applied, in order-1"',
    set('assigned_order_ids', { SS: ['order-2'] }, refund),
  ],
  'a row that should wait': [
    'shows "unassigned"; expected "unassigned, waits as unassigned"',
    set('waiting', undefined, 'live:event:evt-5'),
  ],
  'a row that should not wait': [
    'shows "applied, waits as unassigned"; expected "applied"',
    set('waiting', { S: 'live:unassigned' }, paid),
  ],
};

describe('the checker', () => {
  it('finds nothing in a run in which something of every kind happened', () => {
    expect(check(sampleHistory())).toEqual([]);
  });

  it.each(Object.entries(wrong))('finds %s, and says which', (_, [sentence, change]) => {
    expect(sentencesAfter(change).join('\n')).toContain(sentence);
  });

  it('accepts a lost event that is in the dead-letter queue, with its alarm', () => {
    const sentences = sentencesAfter((history) => {
      remove(history, 'live:event:evt-5');
      remove(history, 'live:transaction:T-9');
      history.queues.deadLetters.push(message(texts.lonely));
      history.metrics.push(
        { at: 1, from: 'deadLetters', name: 'ApproximateNumberOfMessagesVisible', value: 1 },
        { at: 1, from: 'waiting-count', name: 'EventsUnassigned', value: 0 },
      );
    });
    expect(sentences).toEqual([]);
  });

  it('accepts other bytes that say the same as the body of their event, and no others', () => {
    const deliver = (text: string) =>
      sentencesAfter(({ deliveries }) => {
        const [first] = deliveries;
        if (first === undefined) return;
        const attempts = first.attempts.map((attempt) => ({ ...attempt, signature: sign(text, 'live') }));
        deliveries.push({ ...first, number: 50, body: Buffer.from(text).toString('base64'), attempts });
      });
    expect(deliver(` ${texts.paid}`)).toEqual([]);
    expect(deliver(texts.paid.replace('100.00', '99')).join()).toContain('recorded: LOST: webhook 50');
  });
});

describe('a body of the time of a version that read otherwise', () => {
  const text = JSON.stringify({
    ...JSON.parse(texts.paid),
    payload: {
      ...JSON.parse(texts.paid).payload,
      former: { order_id: 'order-9', id: 'T-1', amount: '7.00' },
    },
  });
  const formerReading: Change = (history) => {
    const [delivery] = history.deliveries;
    const [row] = rowsOf(history, paid, 'event');
    if (delivery === undefined || row === undefined) throw new Error('The sample has no payment.');
    delivery.body = Buffer.from(text).toString('base64');
    for (const attempt of delivery.attempts) attempt.signature = sign(text, 'live');
    const hashes = { body_sha256: sha256(text), signature: sign(text, 'live') };
    for (const [name, hex] of Object.entries(hashes))
      row[name] = { B: Buffer.from(hex, 'hex').toString('base64') };
    Object.assign(row, { body: { B: delivery.body }, order_id: { S: 'order-9' }, amount: { S: '7.00' } });
    delete row['currency'];
    history.formerly = { until: history.endedAt, hasOtherPlaces: true, eventMeanings: {} };
  };
  const recorded = (...changes: readonly Change[]): readonly string[] =>
    sentencesAfter(formerReading, ...changes).filter((one) => /^recorded/.test(one));
  const expire: Change = (history) => {
    const [row] = rowsOf(history, paid, 'event');
    const own = { ...row, record: { S: `body:${sha256(text)}` } };
    history.expiredRows.push({ at: history.endedAt, table: 'events', row: own });
    delete row?.['body'];
  };

  it('is stored as the version of today reads it, since everything was replayed', () => {
    expect(recorded().join()).toContain('has the reading ["evt-1","transaction.paid","paid","order-9"');
  });

  it('keeps the former reading when its bytes were gone before the replay', () => {
    expect(recorded(expire)).toEqual([]);
    expect(sentencesAfter(formerReading, expire).join()).toContain(
      'The live order "order-9" does not exist, although ["paid","evt-1","transaction.paid","T-1","7.00"',
    );
  });

  it('is read by today alone when it was sent after the former version', () => {
    const later: Change = (history) => Object.assign(history.formerly ?? {}, { until: history.startedAt });
    expect(recorded(expire, later)).toHaveLength(1);
  });
});
