import { describe, expect, it } from 'vitest';
import {
  conflictFact,
  correctionFact,
  eventFact,
  fullFact,
  parseFact,
  refoldedFact,
  resolvedFact,
  sharedFact,
  UnreadableFactError,
} from '../../lambdas/domain/fact.ts';

const createdAt = '2026-11-21T10:00:00.000000Z';
const transaction = { id: 'txn-1', idInvalid: false, amount: '100.00', currency: 'USD', createdAt };
const order = { id: 'order-1' };
const paid = { id: 'evt-1', eventName: 'transaction.paid', sandbox: false, order, transaction };

describe('eventFact', () => {
  // Rows hold these texts, so no later version may change them.
  it.each([
    ['an event', paid, `["event.1","evt-1","transaction.paid","txn-1","100.00","USD","${createdAt}"]`],
    [
      'an event with quotes, control characters and no transaction id',
      { ...paid, id: 'a"b\\c\u0000\u2028', transaction: { ...transaction, id: null } },
      `["event.1","a\\"b\\\\c\\u0000\u2028","transaction.paid",null,"100.00","USD","${createdAt}"]`,
    ],
  ])('writes %s as one fixed text that parseFact reads', (_, event, text) => {
    expect(eventFact(event)).toBe(text);
    const { id: transactionId, amount, currency } = event.transaction;
    const { id: eventId, eventName } = event;
    const ids = { kind: 'event', eventId, eventName, transactionId };
    expect(parseFact(text)).toEqual({ ...ids, amount, currency, createdAt });
  });
});

describe('conflictFact', () => {
  it('writes a conflict as one fixed text that parseFact reads', () => {
    expect(conflictFact('evt-1', 'ab12')).toBe('["conflict.1","evt-1","ab12"]');
    expect(parseFact('["conflict.1","evt-1","ab12"]')).toEqual({
      kind: 'conflict',
      eventId: 'evt-1',
      bodySha256: 'ab12',
    });
  });
});

describe('sharedFact and fullFact', () => {
  it('write fixed texts that parseFact reads', () => {
    expect(sharedFact('txn "1"')).toBe('["shared.1","txn \\"1\\""]');
    expect(parseFact('["shared.1","txn-1"]')).toEqual({ kind: 'shared', transactionId: 'txn-1' });
    expect(fullFact).toBe('["full.1"]');
    expect(parseFact('["full.1"]')).toEqual({ kind: 'full' });
  });
});

describe('resolvedFact, correctionFact and refoldedFact', () => {
  it('write fixed texts that parseFact reads', () => {
    const by = 'arn:aws:iam::123456789012:user/ann';
    const at = '2026-11-22T05:00:00.000Z';
    const resolution = { attention: 'disputed', judgedSha256: 'ab12', by, at, reason: 'won' };
    const resolved = `["resolved.1","disputed","ab12","${by}","${at}","won"]`;
    expect(resolvedFact(resolution)).toBe(resolved);
    expect(parseFact(resolved)).toEqual({ kind: 'resolved', ...resolution });
    // printf %s '["full.1"]' | sha256sum
    const hash = 'f9fc38d930ab8aca32a3c25f8e3c465f3acea69f4e11e4522c0c9fbd89215a5b';
    expect(correctionFact('["full.1"]', 2)).toBe(`["correction.1","${hash}",2]`);
    expect(parseFact(`["correction.1","${hash}",2]`)).toEqual({ kind: 'correction', factSha256: hash, n: 2 });
    expect(refoldedFact('r-1')).toBe('["refolded.1","r-1"]');
    expect(parseFact('["refolded.1","r-1"]')).toEqual({ kind: 'refolded', id: 'r-1' });
  });
});

describe('parseFact', () => {
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
    '["conflict.1","e"]',
    '["shared.1"]',
    '["shared.1",null]',
    '["shared.1","T","U"]',
    '["full.1","x"]',
    '["full.2"]',
    '["resolved.1","disputed","ab","by","at"]',
    '["resolved.1","disputed","ab","by","at",null]',
    '["correction.1","ab"]',
    '["correction.1","ab","1"]',
    '["correction.1","ab",0]',
    '["correction.1","ab",1.5]',
    '["refolded.1"]',
    '["refolded.1",1]',
  ])('refuses %j, which this version and earlier ones never wrote', (text) => {
    expect(() => parseFact(text)).toThrow(UnreadableFactError);
  });
});
