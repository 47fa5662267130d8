import { describe, expect, it } from 'vitest';
import { fields, readActRequest, readRequest } from '../../../lambdas/operations/fields.ts';

const sha256 = 'ab'.repeat(32);
const { event_id, order_id, body_sha256, since, publish } = fields;
const read = (request: unknown) =>
  readActRequest(JSON.stringify(request), { event_id, order_id, body_sha256, since, publish });
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
    expect(read({ event_id: 'evt-1', reason: 'checked' })).toEqual({
      ...{ mode: 'live', dry_run: false, reason: 'checked', event_id: 'evt-1', publish: false },
    });
    expect(read({ mode: 'sandbox', dry_run: true, body_sha256: sha256, publish: true })).toEqual({
      ...{ mode: 'sandbox', dry_run: true, body_sha256: sha256, publish: true },
    });
  });

  it('needs a reason, except for a dry run', () => {
    const expected = 'The field reason is missing; expected why, in one line of 1 to 512 bytes of JSON.';
    expect(refusal(() => read({ event_id: 'evt-1' }))).toBe(expected);
    expect(read({ event_id: 'evt-1', dry_run: true }).reason).toBeUndefined();
  });

  it('has a time in UTC with milliseconds, whatever its zone was', () => {
    const request = read({ since: '2026-11-21T12:00:00+02:00', reason: 'r' });
    expect(request.since).toBe('2026-11-21T10:00:00.000Z');
  });

  it.each([
    [{ mode: 'test' }, 'The field mode is "test"; expected live or sandbox.'],
    [{ dry_run: 'yes' }, 'The field dry_run is "yes"; expected true or false.'],
    [{ reason: ' ' }, 'The field reason is " "; expected why, in one line of 1 to 512 bytes of JSON.'],
    [{ event_id: '' }, 'The field event_id is ""; expected an event id of 1 to 512 bytes of UTF-8.'],
    [{ order_id: 7 }, 'The field order_id is 7; expected an order id of 1 to 1024 bytes of UTF-8.'],
    [
      { order: 'o' },
      'The field order is "o"; expected one of the fields ' +
        'mode, dry_run, reason, event_id, order_id, body_sha256, since, publish.',
    ],
  ])('is refused as %j with the field, what was given and what is expected', (fields, message) => {
    expect(refusal(() => read({ reason: 'r', ...fields }))).toBe(message);
  });

  it('measures the reason as it stands in JSON, where a quote takes two bytes', () => {
    expect(read({ reason: '"'.repeat(256) }).reason).toHaveLength(256);
    expect(refusal(() => read({ reason: '"'.repeat(257) }))).toContain(
      'expected why, in one line of 1 to 512 bytes',
    );
  });

  it.each([
    ['no body', undefined, 'is not JSON'],
    ['broken JSON', '{', 'is not JSON'],
    ['an array', '[]', 'is not an object'],
    ['null', 'null', 'is not an object'],
    ['a number', '5', 'is not an object'],
    ['more than 16 KB', JSON.stringify({ reason: 'x'.repeat(16_384) }), 'has 16397 bytes'],
  ])('is refused with %s', (_, body, what) => {
    const message = `The body of the request ${what}; expected a JSON object of at most 16384 bytes.`;
    const problem = expect.objectContaining({ parameter: 'body', detail: message });
    expect(() => readActRequest(body, {})).toThrow(expect.objectContaining({ problem }));
  });

  it('shows up to 200 characters of what was given, and no more', () => {
    const message = refusal(() => read({ reason: 'r', event_id: 'x'.repeat(600) }));
    expect(message).toContain(`The field event_id is "${'x'.repeat(199)}; expected`);
  });
});

describe('a field of a request', () => {
  const limit = 'a whole number from 1 to 200';
  const sequence = 'the sequence of the order, a whole number from 1';
  const names = '1 to 20 names of attention, such as refund_exceeds_payment';
  const hash = 'a SHA-256 in 64 lowercase hexadecimal digits';
  const cursor = 'the unchanged next_cursor of an earlier response';
  const time = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
  const reason = 'why, in one line of 1 to 512 bytes of JSON';

  it.each<[keyof typeof fields, readonly unknown[], readonly unknown[], string]>([
    ['limit', [1, 200], [0, 201, 1.5, '1', null], limit],
    ['sequence', [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53, '1'], sequence],
    ['attention', [['a'], Array(20).fill('a')], [[], Array(21).fill('a'), [7], 'a'], names],
    ['body_sha256', [sha256], [`0${sha256}`, `${sha256}0`, 7], hash],
    ['cursor', ['c', 'c'.repeat(9_216)], ['', 'c'.repeat(9_217), 7], cursor],
    ['until', ['2026-11-21T10:00:00.000Z'], [7, '2026-11-21', ''], time],
    ['publish', [true, false], ['yes', 1], 'true or false'],
    ['mode', ['live', 'sandbox'], ['', true], 'live or sandbox'],
    ['event_id', ['é'.repeat(256)], ['é'.repeat(257), '\ud800', 7], 'an event id of 1 to 512 bytes of UTF-8'],
    ['order_id', ['x'.repeat(1_024)], ['x'.repeat(1_025)], 'an order id of 1 to 1024 bytes of UTF-8'],
    ['event_name', ['x'.repeat(256)], ['x'.repeat(257), 7], 'an event name of 1 to 256 bytes of UTF-8'],
  ])('%s is accepted up to its bounds, and refused beyond them', (name, accepted, refused, expected) => {
    const one = (value: unknown) =>
      readRequest(JSON.stringify({ [name]: value }), { [name]: fields[name] })[name];
    expect(accepted.map(one)).toEqual(accepted);
    for (const value of refused) expect(refusal(() => one(value))).toMatch(`; expected ${expected}.`);
    const problem = expect.objectContaining({ parameter: name });
    expect(() => one(refused[0])).toThrow(expect.objectContaining({ problem }));
  });

  it.each(['two\nlines', 'a\u0000b', '\ud800', '', 7])('reason is refused as %j', (given) => {
    expect(refusal(() => read({ reason: given }))).toMatch(`; expected ${reason}.`);
  });

  it('reason is read as it is, spaces at its ends included', () => {
    expect(read({ reason: ' x ' }).reason).toBe(' x ');
  });
});

it('the body of a request may have exactly 16,384 bytes, measured in UTF-8', () => {
  const bodyOf = (padding: string) => JSON.stringify({ dry_run: true }) + padding;
  expect(readActRequest(bodyOf(' '.repeat(16_384 - 16)), {}).dry_run).toBe(true);
  expect(refusal(() => readActRequest(bodyOf('é'.repeat(8_185)), {}))).toContain('has 16386 bytes');
});

describe('a request that changes nothing', () => {
  it('has no reason and no mode', () => {
    const { cursor } = fields;
    expect(readRequest('{"cursor":"c"}', { cursor })).toEqual({ cursor: 'c' });
    expect(refusal(() => readRequest('{"reason":"r"}', { cursor }))).toBe(
      'The field reason is "r"; expected one of the fields cursor.',
    );
  });
});
