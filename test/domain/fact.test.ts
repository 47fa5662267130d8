import { describe, expect, it } from 'vitest';
import { conflictFact, eventFact, parseFact, UnreadableFactError } from '../../lambdas/domain/fact.ts';

const paid = {
  id: 'evt-1',
  eventName: 'transaction.paid',
  sandbox: false,
  order: { id: 'order-1' },
  transaction: { id: 'txn-1', amount: '100.00', currency: 'USD', createdAt: '2026-11-21T10:00:00.000000Z' },
};

describe('eventFact', () => {
  it('is this string, now and in two years: rows hold it', () => {
    expect(eventFact(paid)).toBe(
      '["event.1","evt-1","transaction.paid","txn-1","100.00","USD","2026-11-21T10:00:00.000000Z"]',
    );
  });

  it('stays printable and well-formed whatever the ids hold', () => {
    const fact = eventFact({
      ...paid,
      id: 'a"b\\c\u0000\u2028',
      transaction: { ...paid.transaction, id: null },
    });
    expect(fact).toBe(
      '["event.1","a\\"b\\\\c\\u0000\u2028","transaction.paid",null,"100.00","USD","2026-11-21T10:00:00.000000Z"]',
    );
    expect(parseFact(fact)).toMatchObject({ eventId: 'a"b\\c\u0000\u2028', transactionId: null });
  });
});

describe('parseFact', () => {
  it('reads what eventFact wrote', () => {
    expect(parseFact(eventFact(paid))).toEqual({
      kind: 'event',
      eventId: 'evt-1',
      eventName: 'transaction.paid',
      transactionId: 'txn-1',
      amount: '100.00',
      currency: 'USD',
      createdAt: '2026-11-21T10:00:00.000000Z',
    });
  });

  it('reads what conflictFact wrote', () => {
    expect(conflictFact('evt-1', 'ab12')).toBe('["conflict.1","evt-1","ab12"]');
    expect(parseFact('["conflict.1","evt-1","ab12"]')).toEqual({
      kind: 'conflict',
      eventId: 'evt-1',
      bodySha256: 'ab12',
    });
  });

  it.each([
    '',
    'x',
    '{}',
    '[]',
    '["event.2","e","n",null,null,null,null]',
    '["event.1","e","n",null,null,null]',
    '["event.1","e",null,null,null,null,null]',
    '["event.1","e","n",7,null,null,null]',
    '["event.1",null,"n",null,null,null,null]',
    '["conflict.1","e",null]',
  ])('throws at %j, which no version before this one wrote', (text) => {
    expect(() => parseFact(text)).toThrow(UnreadableFactError);
  });
});
