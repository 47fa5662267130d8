import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { type ParsedEvent, parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';

const parse = (text: string): ParsedEvent => parsePaymentEvent(Buffer.from(text));
const event = (text: string) => {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.event;
};
const withTransaction = (transaction: string): string =>
  `{"id":"e","event_name":"transaction.paid","sandbox":false,"payload":{"transaction":${transaction}}}`;

describe('parsePaymentEvent', () => {
  it.each(['filled', 'null'] as const)(
    'reads the event of API document 2.3 with nullable fields %s',
    (nullable) => {
      const fields = { amount: '100.00', currency: 'USD', createdAt: '2026-11-21T10:00:00.123456Z' };
      const ids = { eventId: 'evt-1', orderId: 'order-1', transactionId: 'txn-1' };
      expect(parsePaymentEvent(bytesOf(paidEvent({ nullable, ...ids, ...fields })))).toEqual({
        ok: true,
        event: {
          id: 'evt-1',
          eventName: 'transaction.paid',
          sandbox: false,
          order: { id: 'order-1' },
          transaction: { id: 'txn-1', idInvalid: false, ...fields },
        },
      });
    },
  );

  it.each([
    ['an empty body', '', 'not_json'],
    ['plain text', 'hello', 'not_json'],
    ['half of an object', '{"id":"e"', 'not_json'],
    ['a number', '7', 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['a string', '"e"', 'not_an_object'],
    ['an array', '[{"id":"e","event_name":"n"}]', 'not_an_object'],
    ['an event without an id', '{"event_name":"n"}', 'id_missing'],
    ['an event with an empty id', '{"id":"","event_name":"n"}', 'id_missing'],
    ['an event with a null id', '{"id":null,"event_name":"n"}', 'id_missing'],
    ['an event with a numeric id', '{"id":7,"event_name":"n"}', 'id_missing'],
    ['an id with a lone surrogate', '{"id":"\\ud800","event_name":"n"}', 'id_invalid'],
    ['an id of 513 bytes', `{"id":"${'é'.repeat(256)}x","event_name":"n"}`, 'id_invalid'],
    ['an id of 86 control characters, 516 bytes in JSON', `{"id":"${'\\u0001'.repeat(86)}"}`, 'id_invalid'],
    ['an event without a name', '{"id":"e"}', 'event_name_missing'],
    ['an event with an empty name', '{"id":"e","event_name":""}', 'event_name_missing'],
    ['an event name that is an object', '{"id":"e","event_name":{}}', 'event_name_missing'],
    ['an event name of 257 bytes', `{"id":"e","event_name":"${'n'.repeat(257)}"}`, 'event_name_invalid'],
    ['an event name of 129 quotes', `{"id":"e","event_name":"${'\\"'.repeat(129)}"}`, 'event_name_invalid'],
    ['an id only on the prototype', '{"__proto__":{"id":"e","event_name":"n"}}', 'id_missing'],
    ['JSON that is nested deeper than the stack', '['.repeat(120_000) + ']'.repeat(120_000), 'not_json'],
  ])('refuses %s', (_, text, reason) => {
    expect(parse(text)).toEqual({ ok: false, reason });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(parsePaymentEvent(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({ ok: false, reason: 'not_utf8' });
  });

  it('accepts a byte order mark and an id of 512 bytes', () => {
    const id = 'é'.repeat(256);
    expect(event(`\ufeff{"id":"${id}","event_name":"n"}`).id).toBe(id);
  });

  it('accepts an event without payload and sandbox flag', () => {
    expect(event('{"id":"e","event_name":"account.updated"}')).toEqual({
      id: 'e',
      eventName: 'account.updated',
      sandbox: undefined,
      order: null,
      transaction: { id: null, idInvalid: false, amount: null, currency: null, createdAt: null },
    });
  });

  const payloads = ['null', '[]', '"x"', '7', '{}', '{"transaction":null}', '{"transaction":[]}'];
  it.each([...payloads, '{"transaction":"x"}'])('finds no order in the payload %s', (payload) => {
    expect(event(`{"id":"e","event_name":"n","payload":${payload}}`).order).toBeNull();
  });

  it.each([
    ['{}', null],
    ['{"order_id":null}', null],
    ['{"order_id":""}', null],
    ['{"order_id":"a/b?c#d%20 é"}', { id: 'a/b?c#d%20 é' }],
    ['{"order_id":12345678901234567890}', { id: '12345678901234567890' }],
    ['{"order_id":1e2}', { id: '1e2' }],
    ['{"order_id":true}', 'invalid'],
    ['{"order_id":["a"]}', 'invalid'],
    ['{"order_id":"\\udc00"}', 'invalid'],
  ])('reads the order of %s as %j', (transaction, order) => {
    expect(event(withTransaction(transaction)).order).toEqual(order);
  });

  it.each([
    ['"100.00"', '100.00'],
    ['100.00', '100.00'],
    ['100.10', '100.10'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['null', null],
    ['""', null],
    ['{"value":"1"}', null],
    ['"\\ud800"', null],
  ])('reads the amount %s as %j', (amount, text) => {
    expect(event(withTransaction(`{"amount":${amount}}`)).transaction.amount).toBe(text);
  });

  it('refuses an order id of 1,025 bytes and ignores an amount of 257 bytes', () => {
    const long = `{"order_id":"${'o'.repeat(1025)}","amount":"${'1'.repeat(257)}"}`;
    expect(event(withTransaction(long))).toMatchObject({ order: 'invalid', transaction: { amount: null } });
  });

  it.each([
    ['128 characters of two bytes', 'é'.repeat(128), 'é'.repeat(129)],
    ['42 control characters of six bytes in JSON', '\u0001'.repeat(42), '\u0001'.repeat(43)],
    ['128 quotes of two bytes in JSON', '"'.repeat(128), '"'.repeat(129)],
  ])('reads a currency of %s, and ignores one more', (_, fits, tooLong) => {
    const currency = (text: string) =>
      event(withTransaction(JSON.stringify({ currency: text, created_at: text }))).transaction;
    expect(currency(fits)).toMatchObject({ currency: fits, createdAt: fits });
    expect(currency(tooLong)).toMatchObject({ currency: null, createdAt: null });
  });

  it.each([
    ['{}', null, false],
    ['{"id":null}', null, false],
    ['{"id":""}', null, false],
    ['{"id":"T"}', 'T', false],
    ['{"id":12345678901234567890}', '12345678901234567890', false],
    [`{"id":"${'t'.repeat(256)}"}`, 't'.repeat(256), false],
    [`{"id":"${'t'.repeat(257)}"}`, null, true],
    [`{"id":"${'\\u0001'.repeat(43)}"}`, null, true],
    ['{"id":"\\ud800"}', null, true],
    ['{"id":true}', null, true],
    ['{"id":["T"]}', null, true],
    ['{"id":{"value":"T"}}', null, true],
  ])('reads the transaction id of %s as %j, invalid: %s', (transaction, id, idInvalid) => {
    expect(event(withTransaction(transaction)).transaction).toMatchObject({ id, idInvalid });
  });

  it.each(['"true"', '1', 'null', '{}'])('ignores the sandbox flag %s, which is not a boolean', (flag) => {
    expect(event(`{"id":"e","event_name":"n","sandbox":${flag}}`).sandbox).toBeUndefined();
  });
});
