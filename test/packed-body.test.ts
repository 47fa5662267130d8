import { createHash, randomBytes } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyDictionaries, dictionaryVersion } from '../lambdas/aws/body-dictionary.ts';
import { packBody, unpackBody } from '../lambdas/aws/packed-body.ts';
import { bodyBytesMax } from '../lambdas/contract/limits.ts';

const uuid = '11647d26-73ed-49b8-81ed-238a2b7f4d05';
const roundTrip = (body: Uint8Array, known: readonly string[] = []): Buffer =>
  Buffer.from(unpackBody(packBody(body, known), known));

describe('the dictionaries of stored bodies', () => {
  /** Rows are inflated with these texts: a new text is a new version, and no version goes. */
  it.each([[1, '56fa7965609ae67a90cf5ccbd392e2b8bb23bbafa7aaf65746062fb233b0694c']])(
    'version %i never changes',
    (version, hash) => {
      const text = bodyDictionaries[version] ?? '';
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    },
  );

  it('each have their hash above, and the last one is in use', () => {
    expect(Object.keys(bodyDictionaries)).toEqual(['1']);
    expect(dictionaryVersion).toBe(1);
  });
});

describe('a packed body', () => {
  it('of the sample payment has a quarter of its bytes', () => {
    const event = paidEvent({ orderId: 'ORD-1', seed: 'sample' });
    const body = bytesOf(event);
    const known = [event.payload.transaction.id, 'ORD-1', event.id];
    expect(body.length).toBe(897);
    expect(packBody(body, known).length).toBeLessThanOrEqual(224);
    expect(roundTrip(body, known)).toEqual(Buffer.from(body));
  });

  it('begins with the version of its dictionary and the number of its UUIDs, which have 16 bytes each', () => {
    const packed = packBody(Buffer.from(`{"id":"${uuid}","event_name":"transaction.paid"}`), []);
    expect([...packed.subarray(0, 2)]).toEqual([1, 1]);
    expect(Buffer.from(packed.subarray(2, 18)).toString('hex')).toBe(uuid.replaceAll('-', ''));
  });

  it('that would be larger is kept as it is, after a zero', () => {
    const body = randomBytes(300);
    expect(Buffer.from(packBody(body, []))).toEqual(Buffer.concat([Buffer.of(0), body]));
    expect(roundTrip(body)).toEqual(body);
  });

  it('that has the size of its packed form is packed, since the zero would make it larger', () => {
    expect(packBody(Buffer.from('aaaaaa'), [])).toHaveLength(6);
  });

  it.each([
    ['empty', ''],
    ['with a zero byte', `\0${uuid}\0"event_name":"transaction.paid"`],
    ['with a UUID in upper case', `"id":"${uuid.toUpperCase()}","event_name":"transaction.paid"`],
    ['with UUIDs in a row', uuid.repeat(3)],
    ['with more UUIDs than fit', JSON.stringify(Array.from({ length: 300 }, () => uuid))],
    ['in another alphabet', JSON.stringify({ event_name: 'transaction.paid', name: 'Настя 愛 😀' })],
    ['with a byte order mark', '\ufeff{"event_name":"transaction.paid","sandbox":false}'],
  ])('%s is given back byte for byte', (_, text) => {
    expect(roundTrip(Buffer.from(text), [uuid, ''])).toEqual(Buffer.from(text));
    expect(roundTrip(Buffer.from(text))).toEqual(Buffer.from(text));
  });

  it('of the largest size is given back byte for byte', () => {
    const zeros = Buffer.alloc(bodyBytesMax);
    const noise = randomBytes(bodyBytesMax);
    expect(roundTrip(zeros).equals(zeros)).toBe(true);
    expect(roundTrip(noise).equals(noise)).toBe(true);
  });

  it('of a later version is refused, and the error says what to deploy', () => {
    expect(() => unpackBody(Buffer.of(2, 0), [])).toThrow(
      'A body was deflated with the dictionary 2; this version of payhooks has 1. ' +
        'Deploy the version that wrote it, or a newer one.',
    );
  });

  it('is given back byte for byte, whatever is in it and whatever its row knows', () => {
    const anyText = fc.oneof(fc.uuid(), fc.json(), fc.string({ unit: 'binary' }), fc.constant('\0'));
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(anyText).map((texts) => new Uint8Array(Buffer.from(texts.join('","')))),
    );
    fc.assert(
      fc.property(anyBytes, fc.array(anyText, { maxLength: 4 }), (body, known) => {
        expect(roundTrip(body, known).equals(body)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
