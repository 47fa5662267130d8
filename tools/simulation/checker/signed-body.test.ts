import { describe, expect, it } from 'vitest';
import { readBody } from './signed-body.ts';

// The property of the fold compares this parser with that of the pipeline, on bodies with hostile values.
const read = (json: string | Uint8Array, meanings = {}) =>
  readBody(typeof json === 'string' ? Buffer.from(json) : json, 'live', { configured: meanings });
const transaction = (fields: string): string =>
  `{"id":"a","event_name":"transaction.paid","sandbox":false,"payload":{"transaction":{${fields}}}}`;
const none = { orderId: null, transactionId: null, amount: null, currency: null, createdAt: null };

describe('the independent parser', () => {
  it('takes what is no object, not JSON or not UTF-8, or has no usable id or name for no event', () => {
    const bodies = ['', 'null', '[]', '"a"', '1', '{', '{"id":"a"}x', "{'id':'a'}", '[{"id":"a"}]'];
    const fields = ['"event_name":"n"', '"id":"a"', '"id":"","event_name":"n"', '"id":7,"event_name":"n"'];
    const long = [`"id":"${'x'.repeat(513)}","event_name":"n"`, `"id":"a","event_name":"${'n'.repeat(257)}"`];
    const all = [...bodies, ...[...fields, ...long].map((one) => `{"sandbox":false,${one}}`)];
    expect(all.map((body) => read(body).kind)).toEqual(all.map(() => 'unrecognised'));
    expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])).kind).toBe('unrecognised');
    expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).kind).toBe('unrecognised');
  });

  it.each([
    ['nothing', '', {}],
    [
      'texts',
      '"order_id":"o","id":"T","amount":"100.00","currency":"USD","created_at":"now"',
      { orderId: 'o', transactionId: 'T', amount: '100.00', currency: 'USD', createdAt: 'now' },
    ],
    ['nulls and empty texts', '"order_id":null,"id":"","amount":"","currency":null,"created_at":""', {}],
    [
      'numbers, digit by digit',
      '"order_id":7.0,"id":12345678901234567890,"amount":1E+2',
      { orderId: '7.0', transactionId: '12345678901234567890', amount: '1E+2' },
    ],
    ['amounts of other kinds', '"amount":[100],"currency":{"code":"USD"},"created_at":true', {}],
    ['text like a marked number', '"amount":"n100","id":"s"', { amount: 'n100', transactionId: 's' }],
    ['text with quotes and digits', '"amount":"1\\"2","currency":"\\\\"', { amount: '1"2', currency: '\\' }],
  ])('reads %s in a transaction', (_, fields, expected) => {
    const event = { id: 'a', name: 'transaction.paid', meaning: 'paid', ...none, ...expected };
    expect(read(transaction(fields))).toEqual({ kind: 'event', event });
  });

  it.each([
    ['order_id_invalid', transaction(`"order_id":"${'o'.repeat(1025)}"`)],
    ['order_id_invalid', transaction('"order_id":{},"id":{}')],
    ['transaction_id_invalid', transaction('"id":false')],
    ['sandbox_flag_disagrees', '{"id":"a","event_name":"n","sandbox":true}'],
    ['sandbox_flag_missing', '{"id":"a","event_name":"n","sandbox":"false"}'],
    ['sandbox_flag_missing', '{"id":"a","event_name":"n"}'],
  ])('quarantines a body as %s', (reason, body) => {
    expect(read(body)).toMatchObject({ kind: 'quarantined', reason });
  });

  it('gives a name the meaning that a setting gives it, and reads the place of a former version', () => {
    const body = '{"id":"a","event_name":"captured","sandbox":false,"payload":{"former":{"order_id":"o"}}}';
    expect(read(body)).toMatchObject({ event: { meaning: undefined, orderId: null } });
    expect(read(body, { captured: 'paid' })).toMatchObject({ event: { meaning: 'paid' } });
    const former = readBody(Buffer.from(body), 'live', { version: 'formerly' });
    expect(former).toMatchObject({ event: { orderId: 'o' } });
  });
});
