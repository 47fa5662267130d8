import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../../../lambdas/contract/queue-message.ts';

it.each([
  ['base64, which has no character that SQS refuses', Buffer.from('{"a":"\uffff"}'), 'eyJhIjoi77+/In0='],
  ['a padding character for no bytes, because SQS refuses an empty body', new Uint8Array(0), '='],
])('encodeBody returns %s', (_, body, text) => {
  expect(encodeBody(body)).toBe(text);
  expect(decodeBody(text)).toEqual(body);
});

describe('decodeBody', () => {
  it('restores every byte', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(decodeBody(encodeBody(bytes))).toEqual(bytes);
  });

  it.each(['', '{"id":"e"}', 'eyJhIjoi77+/In0', 'eyJh Ijoi', 'eyJhIjoi77-_In0=', '=='])(
    'refuses %j, which encodeBody never returns',
    (text) => {
      expect(decodeBody(text)).toBeUndefined();
    },
  );
});
