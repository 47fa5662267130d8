import { expect, it } from 'vitest';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { ann, operatorAfter, reason } from '../../doubles/operations.ts';

const junk = Buffer.from('junk');
const junkSha256 = sha256(junk);
const unknown = 'ab'.repeat(32);
const bodies = ['B', 'C', 'D'].map((order) => sent({ id: 'many', order, transaction: 'M' }));
const waiting = bodies.slice(1).map(({ body }) => sha256(body));

/** Everything that an act can meet. */
const stored = [
  ...[payment, refund, { body: junk }, ...bodies],
  sent({ id: 'note', action: 'note', transaction: null }),
  sent({ id: 'open', action: 'refunded', transaction: 'O' }),
  sent({ id: 'taken', action: 'refunded', transaction: 'X' }),
  sent({ id: 'doubted', order: 'A', sandbox: true }),
  sent({ id: 'long', order: 'x'.repeat(1_025), transaction: 'L' }),
  sent({ id: 'two', order: 'E', transaction: 'E' }),
  sent({ id: 'two', action: 'refunded', transaction: 'F' }),
];

const subject = 'one subject: an event_id, an order_id, or the time from since to until';
const anErasure = 'one of event_id, order_id and body_sha256';
const noOrder = 'The field order_id is missing; expected the order of the event, because it names none.';
const noBody = 'The field event_id is missing; expected an event id, or a body_sha256.';
const whichBody = `expected one of the bodies of this event: ${waiting.sort().join(', ')}.`;
const admitted = `"taken" was admitted under the order "Z" by ${ann} at 2026-11-21T11:00:01.000Z ("${reason}"). An`;
const sequenceIs = 'The order "A" has the sequence 2 now, and not 1. Look at it again';
const name = 'transaction.note';

it.each<[string, object, number, string]>([
  ['admit', {}, 400, noBody],
  ['admit', { event_id: 'q' }, 404, 'No live event has the id "q".'],
  ['admit', { event_id: 'p', mode: 'sandbox' }, 404, 'No sandbox event has the id "p".'],
  ['admit', { body_sha256: unknown }, 404, `No live body is stored under the SHA-256 ${unknown}.`],
  ['admit', { event_id: 'p', body_sha256: unknown }, 404, 'No body of the live event "p" has the SHA-256'],
  ['admit', { event_id: 'open' }, 400, noOrder],
  ['admit', { event_id: 'long' }, 400, noOrder],
  ['admit', { event_id: 'two' }, 400, noOrder],
  ['admit', { event_id: 'many' }, 400, whichBody],
  [
    'admit',
    { event_id: 'doubted', order_id: 'B' },
    400,
    'The field order_id is "B"; expected "A", the order',
  ],
  ['admit', { event_id: 'taken', order_id: 'B' }, 409, admitted],
  ['admit', { event_id: 'r', order_id: 'B' }, 409, 'does not wait: it is applied to the order "A".'],
  ['admit', { event_id: 'note', order_id: 'A' }, 409, 'does not wait: its outcome is recorded.'],
  ['admit', { event_name: name }, 409, 'Give "transaction.note" a meaning in the setting eventMeanings'],
  ['admit', { body_sha256: junkSha256 }, 409, 'is no event for this version either (not_json)'],
  ['dismiss', {}, 400, noBody],
  ['dismiss', { event_id: 'q' }, 404, 'No live event has the id "q".'],
  ['dismiss', { body_sha256: unknown }, 404, `No live body is stored under the SHA-256 ${unknown}.`],
  ['dismiss', { event_id: 'p', body_sha256: unknown }, 404, 'No body of the live event "p" has the SHA-256'],
  ['dismiss', { event_name: 'q' }, 404, 'No live event has had the name "q" without a meaning.'],
  ['dismiss', { event_id: 'many' }, 400, whichBody],
  ['dismiss', { event_id: 'taken' }, 409, admitted],
  ['dismiss', { event_id: 'r' }, 409, 'The event "r" does not wait: its outcome is applied.'],
  ['erase', {}, 400, anErasure],
  ['erase', { event_id: 'p', order_id: 'A' }, 400, anErasure],
  ['erase', { event_id: 'p', body_sha256: unknown }, 400, anErasure],
  ['erase', { event_id: 'p', cursor: 'YQ' }, 400, 'no cursor, which only an order_id has'],
  ['erase', { order_id: 'A', cursor: 'nonsense!' }, 400, 'the unchanged next_cursor of an earlier response'],
  ['erase', { event_id: 'q' }, 404, 'No live event has the id "q".'],
  ['erase', { order_id: 'Q' }, 404, 'No live event has named the order "Q".'],
  ['erase', { body_sha256: unknown }, 404, `No live body is stored under the SHA-256 ${unknown}.`],
  ['erase', { event_id: 'open' }, 409, 'What waits for a person cannot be erased: "open". Admit or dismiss'],
  ['erase', { order_id: 'C' }, 409, 'What waits for a person cannot be erased: "many". Admit or dismiss'],
  ['erase', { body_sha256: junkSha256 }, 409, `cannot be erased: "${junkSha256}". Admit or dismiss`],
  ['resolve', { sequence: 2 }, 400, 'The field order_id is missing; expected the order.'],
  ['resolve', { order_id: 'A' }, 400, 'expected the sequence of the order that you saw.'],
  ['resolve', { order_id: 'A', sequence: 2, attention: ['x'] }, 400, 'is "x"; expected names among'],
  ['resolve', { order_id: 'Q', sequence: 1 }, 404, 'No live event has named the order "Q".'],
  ['resolve', { order_id: 'A', sequence: 1 }, 409, sequenceIs],
  [
    'resolve',
    { order_id: 'A', sequence: 2 },
    409,
    'Nothing is to be resolved: the order "A" lists no attention.',
  ],
  [
    'resolve',
    { order_id: 'C', sequence: 1, attention: ['disputed'] },
    409,
    'disputed cannot be resolved: the order "C" lists conflicting_event.',
  ],
  ['replay', { event_id: 'p', order_id: 'A' }, 400, subject],
  ['replay', { event_id: 'p', since: '2026-11-21T10:00:00Z' }, 400, subject],
  ['replay', { order_id: 'A', until: '2026-11-21T10:00:00Z' }, 400, subject],
  ['replay', { event_id: 'p', cursor: 'x' }, 400, subject],
  ['replay', { order_id: 'A', segment: '1/2' }, 400, 'no part of the tables for one event or order'],
  ['replay', { cursor: 'x' }, 400, 'the unchanged next_cursor of an earlier response'],
  ['replay', { event_id: 'q' }, 404, 'No live event has the id "q".'],
  ['replay', { order_id: 'Q' }, 404, 'No live event has named the order "Q".'],
  ['verify', {}, 400, 'expected one of the fields mode, cursor, limit, segment.'],
])('%s %j is refused with %i: %s', async (act, fields, status, detail) => {
  const operator = await operatorAfter(stored);
  await operator.act('admit', { event_id: 'taken', order_id: 'Z' });
  const { status: given, body } = await operator.act(act, fields);
  expect({ status: given, detail: body.detail }).toEqual({ status, detail: expect.stringContaining(detail) });
});

/** What an order of 25 events, and one of another order, are asked for; each request has further pages. */
it.each<[string, object, string, object]>([
  ['replay', { order_id: 'A', limit: 1 }, 'replay', {}],
  ['replay', { order_id: 'A', limit: 1 }, 'replay', { order_id: 'B' }],
  ['replay', { limit: 1 }, 'replay', { mode: 'sandbox' }],
  ['erase', { order_id: 'A' }, 'erase', { order_id: 'B' }],
  ['erase', { order_id: 'A' }, 'erase', { order_id: 'A', mode: 'sandbox' }],
  ['replay', { limit: 1 }, 'verify', {}],
  ['verify', { limit: 1 }, 'verify', { mode: 'sandbox' }],
])('the cursor of %s %j is refused for %s %j', async (first, fields, second, others) => {
  const many = Array.from({ length: 25 }, (_, n) => sent({ id: `e${n}`, order: 'A', transaction: `${n}` }));
  const { post } = await operatorAfter([...many, sent({ id: 'b', order: 'B', transaction: 'b' })]);
  const request = (act: string, more: object) =>
    post(act, JSON.stringify({ ...(act !== 'verify' && { reason }), ...more }));
  const { next_cursor: cursor } = (await request(first, fields)).body;
  const { status, body } = await request(second, { ...others, cursor });
  expect([status, body.parameter]).toEqual([400, 'cursor']);
});
