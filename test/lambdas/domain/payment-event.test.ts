import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { createMeaningOf, meanings } from '../../../lambdas/domain/assumptions.ts';
import {
  isSameReading,
  movesMoney,
  type ParsedEvent,
  parsePaymentEvent,
  type Reading,
  readingOf,
} from '../../../lambdas/domain/payment-event.ts';

const parse = (text: string): ParsedEvent => parsePaymentEvent(Buffer.from(text));
const event = (text: string) => {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.event;
};

// A second parser, written from the documents, reads the same fields in random bodies
// (tools/simulation/checker/fold.property.test.ts), and the same outcome in payloads of any kind (tools/fuzz).
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
          sandbox: false,
          fields: { eventName: 'transaction.paid', orderId: 'order-1', transactionId: 'txn-1', ...fields },
          invalidId: undefined,
        },
      });
    },
  );

  it.each([
    ['an empty body', '', 'not_json'],
    ['plain text', 'hello', 'not_json'],
    ['a number', '7', 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['an array', '[{"id":"e","event_name":"n"}]', 'not_an_object'],
    ['an event without an id', '{"event_name":"n"}', 'id_missing'],
    ['an event with an empty id', '{"id":"","event_name":"n"}', 'id_missing'],
    ['an event with a numeric id', '{"id":7,"event_name":"n"}', 'id_missing'],
    ['an id with a lone surrogate', '{"id":"\\ud800","event_name":"n"}', 'id_invalid'],
    ['an id of 513 bytes', `{"id":"${'é'.repeat(256)}x","event_name":"n"}`, 'id_invalid'],
    ['an id of 86 control characters, 516 bytes in JSON', `{"id":"${'\\u0001'.repeat(86)}"}`, 'id_invalid'],
    ['an event without a name', '{"id":"e"}', 'event_name_missing'],
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
});

const meaningOf = createMeaningOf({ 'invoice.voided': 'refunded' });
const read = (given: object): Reading => readingOf(event(JSON.stringify({ id: 'e', ...given })), meaningOf);

describe('a reading', () => {
  it('has the built-in meaning of its name, or that of the setting, or none', () => {
    const actions = ['paid', 'refunded', 'failed', 'disputed', 'charged_back'];
    const builtIn = actions.map((action) => read({ event_name: `transaction.${action}` }).meaning);
    expect(builtIn).toEqual(['paid', 'refunded', 'failed', 'disputed', 'disputed']);
    expect(read({ event_name: 'invoice.voided' }).meaning).toBe('refunded');
    expect(read({ event_name: 'invoice.sent' }).meaning).toBeNull();
  });

  it('is the same reading only when every field is', () => {
    const reading: Reading = {
      ...{ eventName: 'transaction.paid', meaning: 'paid', orderId: 'order-1', transactionId: 'txn-1' },
      ...{ amount: '100.00', currency: 'USD', createdAt: '2026-11-21T10:00:00.123456Z' },
    };
    expect(isSameReading(reading, { ...reading })).toBe(true);
    for (const field of Object.keys(reading))
      expect(isSameReading(reading, { ...reading, [field]: null })).toBe(false);
  });
});

it('an event moves money unless it is history or its name has no meaning', () => {
  expect(meanings.filter((meaning) => movesMoney({ meaning }))).toEqual([
    'paid',
    'refunded',
    'failed',
    'disputed',
  ]);
  expect(movesMoney({ meaning: null })).toBe(false);
});
