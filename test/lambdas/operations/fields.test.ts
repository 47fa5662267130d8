import { describe, expect, it } from 'vitest';
import { fields, readActRequest, readRequest } from '../../../lambdas/operations/fields.ts';

const sha256 = 'ab'.repeat(32);
const read = (request: object) => readActRequest(JSON.stringify(request), fields);
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The request was accepted.');
};

describe('the request for an act', () => {
  it('is live and no dry run unless it says otherwise', () => {
    const { event_id, publish } = fields;
    const requestOf = (given: object) => readActRequest(JSON.stringify(given), { event_id, publish });
    expect(requestOf({ event_id: 'evt-1', reason: 'checked' })).toEqual({
      ...{ mode: 'live', dry_run: false, reason: 'checked', event_id: 'evt-1', publish: false },
    });
    const chosen = { mode: 'sandbox', dry_run: true, publish: true };
    expect(requestOf(chosen)).toEqual(chosen);
  });

  it('needs a reason, except for a dry run', () => {
    const expected = 'The field reason is missing; expected why, in one line of 1 to 512 bytes of JSON.';
    expect(refusal(() => read({ event_id: 'evt-1' }))).toBe(expected);
    expect(read({ event_id: 'evt-1', dry_run: true }).reason).toBeUndefined();
  });

  it.each([
    ['no body', undefined, 'is not JSON'],
    ['broken JSON', '{', 'is not JSON'],
    ['an array', '[]', 'is not an object'],
    ['null', 'null', 'is not an object'],
    ['a number', '5', 'is not an object'],
    ['more than 16 KB in UTF-8', `{"dry_run":true}${'é'.repeat(8_185)}`, 'has 16386 bytes'],
  ])('is refused with %s', (_, body, what) => {
    const message = `The body of the request ${what}; expected a JSON object of at most 16384 bytes.`;
    const problem = expect.objectContaining({ parameter: 'body', detail: message });
    expect(() => readActRequest(body, {})).toThrow(expect.objectContaining({ problem }));
  });

  it('is refused with up to 200 characters of what was given, and no more', () => {
    const message = refusal(() => read({ reason: 'r', event_id: 'x'.repeat(600) }));
    expect(message).toContain(`The field event_id is "${'x'.repeat(199)}; expected`);
  });
});

it('a request that changes nothing has no reason and no mode', () => {
  const { cursor } = fields;
  expect(readRequest('{"cursor":"c"}', { cursor })).toEqual({ cursor: 'c' });
  const message = 'The field reason is "r"; expected one of the fields cursor.';
  expect(refusal(() => readRequest('{"reason":"r"}', { cursor }))).toBe(message);
});

const limit = 'a whole number from 1 to 200';
const sequence = 'the sequence of the order, a whole number from 1';
const names = '1 to 20 names of attention, such as refund_exceeds_payment';
const hash = 'a SHA-256 in 64 lowercase hexadecimal digits';
const cursor = 'the unchanged next_cursor of an earlier response';
const time = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
const parts = 'one of 1 to 1000000 parts of the tables, such as 3/12';
const reason = 'why, in one line of 1 to 512 bytes of JSON';
const eventId = 'an event id of 1 to 512 bytes of UTF-8';
const notReasons = ['"'.repeat(257), ' ', 'two\nlines', 'a\u0000b', '\ud800', '', 7];

it.each<[keyof ReturnType<typeof read>, readonly unknown[], readonly unknown[], string]>([
  ['limit', [1, 200], [0, 201, 1.5, '1', null], limit],
  ['sequence', [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53, '1'], sequence],
  ['attention', [['a'], Array(20).fill('a')], [[], Array(21).fill('a'), [7], 'a'], names],
  ['body_sha256', [sha256], [`0${sha256}`, `${sha256}0`, 7], hash],
  ['cursor', ['c', 'c'.repeat(9_216)], ['', 'c'.repeat(9_217), 7], cursor],
  ['until', ['2026-11-21T10:00:00.000Z'], [7, '2026-11-21', ''], time],
  ['segment', ['1/1', '3/12', '1000000/1000000'], ['0/3', '4/3', '1/1000001', '1', 'x'], parts],
  ['publish', [true, false], ['yes', 1], 'true or false'],
  ['dry_run', [true, false], ['yes', 1], 'true or false'],
  ['mode', ['live', 'sandbox'], ['', 'test', true], 'live or sandbox'],
  ['event_id', ['é'.repeat(256)], ['', 'é'.repeat(257), '\ud800', 7], eventId],
  ['order_id', ['x'.repeat(1_024)], ['x'.repeat(1_025), 7], 'an order id of 1 to 1024 bytes of UTF-8'],
  ['event_name', ['x'.repeat(256)], ['x'.repeat(257), 7], 'an event name of 1 to 256 bytes of UTF-8'],
  // Measured as it stands in JSON, where a quote takes two bytes.
  ['reason', ['"'.repeat(256), ' x '], notReasons, reason],
])(
  'the field %s is accepted up to its bounds, and refused beyond them',
  (name, accepted, refused, expected) => {
    const one = (value: unknown) => read({ reason: 'r', [name]: value })[name];
    expect(accepted.map(one)).toEqual(accepted);
    for (const value of refused)
      expect(refusal(() => one(value))).toMatch(
        new RegExp(`^The field ${name} is .*; expected ${expected}\\.$`),
      );
    const problem = expect.objectContaining({ parameter: name });
    expect(() => one(refused[0])).toThrow(expect.objectContaining({ problem }));
  },
);
