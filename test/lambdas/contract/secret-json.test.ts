import * as v from 'valibot';
import { expect, it } from 'vitest';
import { readSecretJson, timeSchema } from '../../../lambdas/contract/secret-json.ts';

it.each([
  ['2026-12-01T00:00Z', 1_796_083_200_000],
  ['2026-12-01T00:00:00Z', 1_796_083_200_000],
  ['2026-12-01T01:30:00.5+01:30', 1_796_083_200_500],
  ['2026-11-30T23:00:00.123456789-01:00', 1_796_083_200_123],
])('%s is the time %i', (text, time) => {
  expect(v.parse(timeSchema, text)).toBe(time);
});

it.each([
  ...['', '2026-12-01', '2026-12-01T00:00:00', '2026-12-01 00:00:00Z', '2026-13-01T00:00:00Z'],
  ...['x2026-12-01T00:00:00Z', '2026-12-01T00:00:00Zx', '12026-12-01T00:00:00Z', '2026-12-01T00:00:00.Z'],
  // Times for JavaScript: in the year 12,026, and whatever follows a null character.
  ...['+012026-12-01T00:00:00Z', '2026-12-01T00:00:00Z\u0000x'],
  ...['2026-12-01T00:00:00.0123456789Z', '2026-12-01T0:00:00Z', '2026-12-01T00:00:00+1:00'],
])('%j is no time', (text) => {
  expect(v.is(timeSchema, text)).toBe(false);
});

const notATime = 'is not a time; expected ISO 8601 with a zone, such as 2026-12-01T00:00:00Z';
const schema = v.object(
  { keys: v.array(v.object({ until: v.optional(timeSchema) }, 'is no key')) },
  'is no secret',
);

it.each([
  ['hunter2', 'is not JSON'],
  ['7', 'is no secret'],
  ['{"keys":["hunter2"]}', 'is malformed: keys[0] is no key'],
  [`{"keys":[${'{},'.repeat(12)}{"until":7}]}`, `is malformed: keys[12].until ${notATime}`],
  ['{"keys":[{"until":"2026-13-01T00:00:00Z"}]}', `is malformed: keys[0].until ${notATime}`],
])('the secret %j has the problem %j', (text, problem) => {
  expect(() => readSecretJson(text, schema, Error)).toThrow(new Error(problem));
});

it('a secret that fits its schema has a value', () => {
  const text = '{"keys":[{"until":"2026-12-01T00:00:00Z","more":1}]}';
  expect(readSecretJson(text, schema, Error)).toEqual({ keys: [{ until: 1_796_083_200_000 }] });
});
