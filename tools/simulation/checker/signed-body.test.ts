import { describe, expect, it } from 'vitest';
import { readBody } from './signed-body.ts';

const read = (json: string | Uint8Array, meanings = {}) =>
  readBody(typeof json === 'string' ? Buffer.from(json) : json, 'live', { configured: meanings });
const transaction = (fields: string): string =>
  `{"id":"a","event_name":"transaction.paid","sandbox":false,"payload":{"transaction":{${fields}}}}`;
const event = (fields: object) => ({
  kind: 'event',
  event: {
    ...{ id: 'a', name: 'transaction.paid', meaning: 'paid', orderId: null, transactionId: null },
    ...{ amount: null, currency: null, createdAt: null, ...fields },
  },
});
const head = (fields: string): string => `{"sandbox":false,${fields}}`;

describe('the independent parser', () => {
  it('takes what is no object, not JSON or not UTF-8 for no event', () => {
    const bodies = ['', 'null', '[]', '"a"', '1', '{', '{"id":"a"}x', "{'id':'a'}", '[{"id":"a"}]'];
    expect(bodies.map((body) => read(body).kind)).toEqual(bodies.map(() => 'unrecognised'));
    expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])).kind).toBe('unrecognised');
    expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).kind).toBe('unrecognised');
  });

  it.each([
    ['no id', '"event_name":"n"'],
    ['no name', '"id":"a"'],
    ['an empty id', '"id":"","event_name":"n"'],
    ['an empty name', '"id":"a","event_name":""'],
    ['a number as id', '"id":7,"event_name":"n"'],
    ['a number as name', '"id":"a","event_name":7'],
    ['null as id', '"id":null,"event_name":"n"'],
    ['an id with a lone surrogate', '"id":"\\ud800","event_name":"n"'],
    ['an id of 513 bytes', `"id":"${'x'.repeat(513)}","event_name":"n"`],
    ['an id of 86 control characters, 516 bytes in JSON', `"id":"${'\\u0001'.repeat(86)}","event_name":"n"`],
    ['a name of 257 bytes', `"id":"a","event_name":"${'n'.repeat(257)}"`],
  ])('takes a body with %s for no event', (_, fields) => {
    expect(read(head(fields)).kind).toBe('unrecognised');
  });

  it.each([
    ['an id of 512 bytes', `"id":"${'x'.repeat(512)}","event_name":"n"`],
    ['an id of 85 control characters, 510 bytes in JSON', `"id":"${'\\u0001'.repeat(85)}","event_name":"n"`],
    ['a name of 256 bytes', `"id":"a","event_name":"${'n'.repeat(256)}"`],
    ['an id that was written with escapes', '"id":"\\u0061","event_name":"n"'],
    ['fields that are not known', '"id":"a","event_name":"n","__proto__":{"id":7},"x":[1,{"y":null}]'],
    ['two ids, of which the last counts', '"id":7,"id":"a","event_name":"n"'],
  ])('reads a body with %s as an event', (_, fields) => {
    expect(read(head(fields)).kind).toBe('event');
  });

  it.each([
    ['nothing', '', {}],
    [
      'texts',
      '"order_id":"o","id":"T","amount":"100.00","currency":"USD","created_at":"now"',
      {
        ...{ orderId: 'o', transactionId: 'T', amount: '100.00', currency: 'USD', createdAt: 'now' },
      },
    ],
    ['nulls and empty texts', '"order_id":null,"id":"","amount":"","currency":null,"created_at":""', {}],
    [
      'numbers',
      '"order_id":7.0,"id":12345678901234567890,"amount":1E+2',
      {
        ...{ orderId: '7.0', transactionId: '12345678901234567890', amount: '1E+2' },
      },
    ],
    ['negative numbers', '"amount":-0,"order_id":-1e-5', { amount: '-0', orderId: '-1e-5' }],
    ['amounts of other kinds', '"amount":[100],"currency":{"code":"USD"},"created_at":true', {}],
    [
      'text that looks like a marked number',
      '"amount":"n100","id":"s"',
      { amount: 'n100', transactionId: 's' },
    ],
    ['text with quotes and digits', '"amount":"1\\"2","currency":"\\\\"', { amount: '1"2', currency: '\\' }],
    ['an amount of 257 bytes', `"amount":"${'1'.repeat(257)}"`, {}],
    ['an order id of 1,024 bytes', `"order_id":"${'é'.repeat(512)}"`, { orderId: 'é'.repeat(512) }],
    ['a transaction id of 256 bytes', `"id":"${'t'.repeat(256)}"`, { transactionId: 't'.repeat(256) }],
  ])('reads %s in a transaction', (_, fields, expected) => {
    expect(read(transaction(fields))).toEqual(event(expected));
  });

  it.each([
    ['order_id_invalid', `"order_id":"${'o'.repeat(1025)}"`],
    ['order_id_invalid', '"order_id":"\\ud800"'],
    ['order_id_invalid', '"order_id":true'],
    ['order_id_invalid', '"order_id":["o"]'],
    ['order_id_invalid', '"order_id":{},"id":{}'],
    ['transaction_id_invalid', `"id":"${'t'.repeat(257)}"`],
    ['transaction_id_invalid', `"id":"${'\\u0001'.repeat(43)}"`],
    ['transaction_id_invalid', '"id":false'],
  ])('quarantines a body as %s', (reason, fields) => {
    expect(read(transaction(fields))).toMatchObject({ kind: 'quarantined', reason });
  });

  it.each([
    ['live', 'true', 'sandbox_flag_disagrees'],
    ['sandbox', 'false', 'sandbox_flag_disagrees'],
    ['live', '"false"', 'sandbox_flag_missing'],
    ['live', 'null', 'sandbox_flag_missing'],
    ['sandbox', '1', 'sandbox_flag_missing'],
  ] as const)('quarantines a body of a %s key whose flag is %s as %s', (mode, flag, reason) => {
    const body = `{"id":"a","event_name":"n","sandbox":${flag}}`;
    expect(readBody(Buffer.from(body), mode)).toMatchObject({ kind: 'quarantined', reason });
  });

  it('quarantines a body without a flag', () => {
    const body = Buffer.from('{"id":"a","event_name":"n"}');
    expect(readBody(body, 'sandbox')).toMatchObject({ reason: 'sandbox_flag_missing' });
  });

  it('finds no transaction in a payload of another shape', () => {
    const payloads = ['[]', '"x"', 'null', '{"transaction":[{"id":"T"}]}', '{"transaction":"T"}'];
    const bodies = payloads.map((payload) => head(`"id":"a","event_name":"n","payload":${payload}`));
    const ids = bodies.map((body) => read(body)).map((one) => 'event' in one && one.event.transactionId);
    expect(ids).toEqual([null, null, null, null, null]);
  });

  it('gives a name the meaning that a setting gives it', () => {
    const body = head('"id":"a","event_name":"charge.captured"');
    expect(read(body)).toMatchObject({ event: { meaning: undefined } });
    expect(read(body, { 'charge.captured': 'paid' })).toMatchObject({ event: { meaning: 'paid' } });
  });
});
