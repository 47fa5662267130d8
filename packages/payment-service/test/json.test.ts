import * as v from 'valibot';
import { expect, it } from 'vitest';
import { checkJson, jsonObject, sentenceOf, textLike } from '../src/json.ts';

const schema = v.pipe(
  v.strictObject({ id: v.string(), items: v.optional(v.array(jsonObject)), until: v.optional(v.string()) }),
  v.forward(
    v.check(({ id, until }) => until !== id, 'another text than the id'),
    ['until'],
  ),
);

it.each<[unknown, string, string]>([
  [undefined, 'body', '$ is missing; expected an object'],
  ['text', 'body', '$ is a string; expected an object'],
  [{ id: 'a', items: {} }, 'items', '$.items is an object; expected an array'],
  [{ id: 'a', items: [{}, []] }, 'items', '$.items[1] is an array; expected an object'],
  [{ id: 'a', until: 'a' }, 'until', '$.until is a string; expected another text than the id'],
  [{ id: 'a', more: 7 }, 'more', '$.more is a number; expected no such field'],
])('%j differs in the field %2$s, and the sentence about it holds no value', (json, field, sentence) => {
  const checked = checkJson(schema, json);
  if (checked.ok) throw new Error('It was accepted.');
  expect(checked.mismatch.field).toBe(field);
  expect(sentenceOf(checked.mismatch)).toBe(sentence);
});

it.each([
  [v.literal('numbers'), '"numbers"'],
  [v.picklist(['a', 'b']), '("a" | "b")'],
  [textLike(/^a$/, 'an a'), 'an a'],
])('what is expected has its name or its own words (%#)', (type, expected) => {
  expect(checkJson(type, 'x')).toMatchObject({ mismatch: { expected, found: 'a string' } });
});
