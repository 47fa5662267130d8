import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../lambdas/contract/queue-message.ts';

describe('encodeBody', () => {
  it('gives base64, which holds no character that SQS refuses', () => {
    expect(encodeBody(Buffer.from('{"a":"\uffff"}'))).toBe('eyJhIjoi77+/In0=');
  });

  it('gives SQS a body for no bytes, since it refuses an empty one', () => {
    expect(encodeBody(new Uint8Array(0))).toBe('=');
  });

  it('fits the 1 MiB of an SQS message for the largest body that is accepted', () => {
    expect(encodeBody(Buffer.alloc(262_144)).length).toBe(349_528);
  });
});

describe('decodeBody', () => {
  it('gives every byte back', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(decodeBody(encodeBody(bytes))).toEqual(bytes);
    expect(decodeBody('=')).toEqual(new Uint8Array(0));
  });

  it.each(['', '{"id":"e"}', 'eyJhIjoi77+/In0', 'eyJh Ijoi', 'eyJhIjoi77-_In0=', '=='])(
    'does not take %j, which the verifier never sends',
    (text) => {
      expect(decodeBody(text)).toBeUndefined();
    },
  );
});
