import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  conflictFact,
  eventFact,
  eventIdOf,
  fullFact,
  judgedDigest,
  parseFact,
  resolvedFact,
  sharedConflictFact,
  sharedFact,
} from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { fact, paid as paidFact } from '../../doubles/facts.ts';

const createdAt = '2026-11-21T10:00:00.000000Z';
const money = { amount: '100.00', currency: 'USD', createdAt };
const said = { eventName: 'transaction.paid', meaning: 'paid', transactionId: 'txn-1', ...money } as const;
const paid = { ...said, orderId: 'order-1' };

// Rows hold these texts, so no later version may change them.
describe('eventFact', () => {
  it('writes one fixed text that parseFact reads', () => {
    const text = `["paid","evt-1","transaction.paid","txn-1","100.00","USD","${createdAt}"]`;
    expect(eventFact('evt-1', paid)).toBe(text);
    expect(parseFact(text)).toEqual({ kind: 'event', eventId: 'evt-1', ...said });
  });

  it('writes quotes, control characters and an absent transaction as JSON', () => {
    const text = `["paid","a\\"b\\\\c\\u0000\u2028","transaction.paid",null,"100.00","USD","${createdAt}"]`;
    expect(eventFact('a"b\\c\u0000\u2028', { ...paid, transactionId: null })).toBe(text);
    expect(parseFact(text)).toMatchObject({ eventId: 'a"b\\c\u0000\u2028', transactionId: null });
  });

  it('marks what reaches its orders through their transaction, so that it is not the fact of another event', () => {
    const text = `["paid","evt-1","transaction.paid","txn-1","100.00","USD","${createdAt}","transaction"]`;
    expect(eventFact('evt-1', { ...paid, orderId: null })).toBe(text);
    expect(parseFact(text)).toEqual({ kind: 'event', eventId: 'evt-1', ...said });
  });

  it('writes a name that has no meaning as history', () => {
    const reading = { ...paid, eventName: 'invoice.voided', meaning: null };
    expect(parseFact(eventFact('evt-1', reading))).toMatchObject({
      meaning: 'history',
      eventName: 'invoice.voided',
    });
  });
});

describe('the marks of an order', () => {
  const resolution = {
    ...{ attention: 'disputed', judgedSha256: 'ab12', by: 'arn:aws:iam::123456789012:user/ann' },
    ...{ at: '2026-11-22T05:00:00.000Z', reason: 'won' },
  };
  const resolvedText = `["resolved","disputed","ab12","${resolution.by}","${resolution.at}","won"]`;
  it.each([
    [
      'a conflict',
      conflictFact('e', 'ab12'),
      '["conflict","e","ab12"]',
      { eventId: 'e', bodySha256: 'ab12' },
    ],
    [
      'a conflict of a transaction',
      sharedConflictFact('e', 'ab12', 'T'),
      '["conflict","e","ab12","T"]',
      { eventId: 'e' },
    ],
    ['a shared transaction', sharedFact('t "1"'), '["shared","t \\"1\\""]', { transactionId: 't "1"' }],
    ['a full row', fullFact, '["full"]', { kind: 'full' }],
    ['a resolution', resolvedFact(resolution), resolvedText, { kind: 'resolved', ...resolution }],
  ])('has one fixed text for %s, which parseFact reads', (_, written, text, fact) => {
    expect(written).toBe(text);
    expect(parseFact(text)).toMatchObject(fact);
  });
});

it.each([
  '',
  'x',
  '{}',
  '[]',
  'null',
  '["settled","e","n",null,null,null,null]',
  '["paid","e","n",null,null,null]',
  '["paid","e","n",null,null,null,null,null]',
  '["paid","e",null,null,null,null,null]',
  '["paid","e","n",7,null,null,null]',
  '["paid",null,"n",null,null,null,null]',
  '["conflict","e",null]',
  '["conflict","e"]',
  '["shared"]',
  '["shared",null]',
  '["shared","T","U"]',
  '["full","x"]',
  '["resolved","disputed","ab","by","at"]',
  '["resolved","disputed","ab","by","at",null]',
])('parseFact reads %j, which this version never wrote, as unreadable', (text) => {
  expect(parseFact(text)).toEqual({ kind: 'unreadable' });
});

it('eventIdOf is the event that a fact is about, and none of a fact about the order', () => {
  expect([eventFact('e', paid), conflictFact('e', 'ab12')].map(eventIdOf)).toEqual(['e', 'e']);
  expect([sharedFact('T'), fullFact, 'x'].map(eventIdOf)).toEqual([undefined, undefined, undefined]);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Written as in docs/architecture.md, without the code under test. */
const resolved = (attention: string, judged: readonly string[], reason = 'checked'): string => {
  const digest = sha256(JSON.stringify([...judged].sort()));
  return JSON.stringify(['resolved', attention, digest, 'ann', '2026-11-22T05:00:00.000Z', reason]);
};

const dispute = fact('d', 'disputed');

describe('a resolution', () => {
  it.each([
    ['a full order, which later facts cannot reach', 'too_many_events', fullFact],
    ['a fact that nobody can read', 'unreadable_fact', '["settled"]'],
  ])('has no effect on %s', (_, attention, mark) => {
    const facts = [paidFact('a'), mark];
    expect(foldOrder([...facts, resolved(attention, facts)]).attention).toEqual([attention]);
  });

  it('of an attention that this version does not know has no effect', () => {
    const facts = [paidFact('a'), dispute];
    expect(foldOrder([...facts, resolved('toString', facts)])).toEqual(foldOrder(facts));
  });
});

it('judgedDigest is the SHA-256 of the JSON array of the facts, sorted, without resolutions and repetitions', () => {
  // printf %s '["[\"full\"]","[\"shared\",\"T\"]"]' | sha256sum
  const digest = '277803e15e49431cf610216f70b307363e2d525255abe8975a079243146778c9';
  const facts = ['["shared","T"]', '["full"]'];
  expect(judgedDigest(facts)).toBe(digest);
  expect(judgedDigest([...facts, ...facts, resolved('disputed', facts)])).toBe(digest);
});
