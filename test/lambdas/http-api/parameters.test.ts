import { describe, expect, it } from 'vitest';
import { bodyView } from '../../../lambdas/http-api/body-view.ts';
import {
  readCursor,
  readLimit,
  readMode,
  readTime,
  refuseUnknown,
} from '../../../lambdas/http-api/parameters.ts';

const bounds = { byDefault: 50, max: 100 };

describe('a parameter', () => {
  it.each([
    ['mode', () => readMode({ mode: 'test' }), 'The parameter mode is "test"; expected live or sandbox.'],
    [
      'limit',
      () => readLimit({ limit: '0' }, bounds),
      'The parameter limit is "0"; expected a whole number from 1 to 100.',
    ],
    [
      'since',
      () => readTime({ since: 'now' }, 'since'),
      'The parameter since is "now"; expected a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z.',
    ],
    [
      'cursor',
      () => readCursor({ cursor: 'x' }, () => undefined),
      'The parameter cursor is "x"; expected the unchanged next_cursor of an earlier response.',
    ],
    [
      'Mode',
      () => refuseUnknown({ Mode: 'live' }, []),
      'The parameter Mode is "live"; expected no parameters.',
    ],
    [
      'b',
      () => refuseUnknown({ a: '1', b: undefined }, ['a', 'c']),
      'The parameter b is ""; expected one of the parameters a, c.',
    ],
  ])('%s is refused in a sentence that says what is expected', (parameter, read, message) => {
    const problem = { status: 400, title: 'Bad Request', detail: message, parameter };
    expect(read).toThrow(expect.objectContaining({ problem }));
  });

  it('that is not given has its default, or is undefined', () => {
    expect([readMode({}), readLimit({}, bounds)]).toEqual(['live', 50]);
    expect([readTime({}, 'since'), readCursor({}, () => 'x')]).toEqual([undefined, undefined]);
  });

  it('that is given is read', () => {
    expect([readMode({ mode: 'sandbox' }), readMode({ mode: 'live' })]).toEqual(['sandbox', 'live']);
    expect(['1', '100', '101', '999999999'].map((limit) => readLimit({ limit }, bounds))).toEqual([
      1, 100, 100, 100,
    ]);
    expect(readCursor({ cursor: 'x' }, (text) => `${text}!`)).toBe('x!');
    expect(readTime({ since: '2026-11-21T12:00+02:00' }, 'since')).toBe('2026-11-21T10:00:00.000Z');
    refuseUnknown({ a: '1' }, ['a']);
  });

  it.each(['1000000000', '1.5', ' 1', '1 ', '+1', '1e2', ''])('limit is not read from %j', (limit) => {
    expect(() => readLimit({ limit }, bounds)).toThrow('; expected a whole number from 1 to 100.');
  });
});

describe('a body in a response', () => {
  it.each([
    ['{"id":"e","payload":{"a":1}}', { a: 1 }],
    ['{"id":"e"}', null],
    ['null', null],
    ['"payload"', null],
    ['no JSON', null],
  ])('%s has its bytes and the payload %j', (text, payload) => {
    const body = Buffer.from(text);
    expect(bodyView(body)).toEqual({ body_base64: body.toString('base64'), payload });
  });

  it('that is no longer stored has neither', () => {
    expect(bodyView(undefined)).toEqual({ body_base64: null, payload: null });
  });
});
