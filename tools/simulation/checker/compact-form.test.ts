import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Change, sentencesAfter, set } from '../../../test/doubles/changed-history.ts';
import { unpackedBody, wholeFact } from './compact-form.ts';
import { factsOf, storedRows } from './stored-rows.ts';

const id = '11647d26-73ed-49b8-81ed-238a2b7f4d05';
const customer = '5b0ef2a3-9f0c-4d0e-8a63-0d5f3c1f9c11';
const body =
  `{"id":"${id}","event_name":"transaction.paid","sandbox":false,"payload":{"customer":{"id":"${customer}",` +
  '"name":"Nobody Real"},"transaction":{"id":"tx 7","amount":"10.00","currency":"EUR","order_id":"order/ü",' +
  '"created_at":"2026-11-01T08:00:42.000123Z"}}}';

/** As 0.3.0 stored it. */
const row = {
  event_key: { S: `live:event:${id}` },
  record: { S: 'event' },
  outcome: { S: 'applied' },
  f: { S: 'paid tx%207 10.00 EUR hnqzqdowe3' },
  h: { B: 'm6DRlN61uQKCN5zFdIBQvZqqbJ8wz8HNiE0wXSmkAX8=' },
  k: { B: 'ASNFZ4mr' },
  r: { N: '1793610000000' },
  t: { N: '1793610001000' },
  o: { S: 'order/ü' },
  s: { B: 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=' },
  b: {
    B: 'AQFbDvKjnwxNDopjDV88H5wRg7qdGKWUJViM5MmASJV++Un5KZUKQamJObjSC8jr2HI4Rq2DlE5g4YA1vWAPOqXa2loA',
  },
};

describe('the compact row of an event, as the checker reads it', () => {
  it('gives back body, hash, signature, fact and order id', () => {
    const [read] = storedRows([row]).bodies;
    expect(read?.body?.toString()).toBe(body);
    expect(read).toMatchObject({
      ...{ mode: 'live', eventId: id, place: 'event', orderId: 'order/ü', outcome: 'applied' },
      sha256: '9ba0d194deb5b90282379cc5748050bd9aaa6c9f30cfc1cd884d305d29a4017f',
      signature: 'ab'.repeat(32),
      fact: `["event.1","${id}","transaction.paid","tx 7","10.00","EUR","2026-11-01T08:00:42.000123Z"]`,
    });
  });

  it.each([
    ['its body', 'body', { b: { B: 'AQFbDvKj' } }],
    ['its fact', 'fact', { f: { S: 'paid tx%207' } }],
  ])('holds nothing that was sent when %s cannot be read', (_, field, change) => {
    const [read] = storedRows([{ ...row, ...change }]).bodies;
    expect(String(read?.[field as 'body' | 'fact'])).toBe('unreadable');
  });

  it.each([
    ['without a dictionary', Buffer.from('\0as it is'), 'as it is'],
    ['without a UUID, where a zero byte is a zero byte', packed('a\0b', []), 'a\0b'],
    ['with UUIDs in the place of zero bytes', packed('\0,\0', [id, customer]), `${id},${customer}`],
  ])('can hold a body %s', (_, stored, text) => {
    expect(unpackedBody(stored, []).toString()).toBe(text);
  });
});

function packed(text: string, uuids: readonly string[]): Buffer {
  const bytes = Buffer.from(uuids.join('').replaceAll('-', ''), 'hex');
  return Buffer.concat([Buffer.of(1, uuids.length), bytes, deflateRawSync(text)]);
}

describe('a fact in the row of an order', () => {
  it.each([
    [
      'paid tx%207 10.00 EUR hnqzqdowe3',
      'transaction.paid","tx 7","10.00","EUR","2026-11-01T08:00:42.000123Z"',
    ],
    ['a.b    ', 'a.b",null,null,null,null'],
    ['a%20b t 1 eur 2026-11-01', 'transaction.a b","t","1","eur","2026-11-01"'],
    ['paid EWR9JnPtSbiB7SOKK39NBQ   0', `transaction.paid","${id}",null,null,"1970-01-01T00:00:00.000000Z"`],
  ])('is whole again: %s', (text, fields) => {
    expect(wholeFact(`["event.2","EWR9JnPtSbiB7SOKK39NBQ ${text}"]`)).toBe(`["event.1","${id}","${fields}]`);
    expect(wholeFact(`["event.2","an%20id ${text}"]`)).toBe(`["event.1","an id","${fields}]`);
  });

  it('counts once when the row has it in both forms', () => {
    const fact = '["event.1","an id","a.b",null,null,null,null]';
    const facts = { SS: [fact, '["event.2","an%20id a.b    "]', '["full.1"]'] };
    expect(factsOf({ facts })).toEqual([fact, '["full.1"]']);
  });
});

const wrong: readonly (readonly [what: string, sentence: string, Change])[] = [
  [
    'the fact of another event',
    'recorded: The live event row of "evt-1" (SHA-256 cd01c769dad3…) has the fact "[\\"event.1\\",\\"other\\"]"',
    set('fact', { S: '["event.1","other"]' }, 'live:event:evt-1'),
  ],
  [
    'the order id of another event',
    'recorded: The live event row of "evt-1" (SHA-256 cd01c769dad3…) names the order order-9; its bytes name order-1',
    set('order_id', { S: 'order-9' }, 'live:event:evt-1'),
  ],
];

describe('the row of an event', () => {
  it.each(wrong)('breaks a rule with %s', (_, sentence, change) => {
    expect(sentencesAfter(change).join('\n')).toContain(sentence);
  });
});
