import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conflictFact,
  correctionFact,
  fullFact,
  refoldedFact,
  resolvedFact,
  sharedFact,
} from '../../lambdas/domain/fact.ts';
import { factOfStored, formsOf, packFact, storedFact, unpackFact } from '../../lambdas/domain/stored-fact.ts';

const [eventId, transactionId] = [
  '11647d26-73ed-49b8-81ed-238a2b7f4d05',
  'd7d1d15d-40a3-4726-88de-7ece0ceb8f9b',
];
const createdAt = '2026-11-02T09:15:00.000000Z';
const event = (...fields: readonly (string | null)[]): string => JSON.stringify(['event.1', ...fields]);
const paid = event(eventId, 'transaction.paid', transactionId, '100.00', 'USD', createdAt);

describe('the stored form of a fact', () => {
  it('of the sample payment has 86 bytes instead of 153', () => {
    const stored = '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid 19HRXUCjRyaI3n7ODOuPmw 100.00 USD hns5h075s0"]';
    expect([storedFact(paid), stored.length, paid.length]).toEqual([stored, 86, 153]);
  });

  it('of the sample refund has 90 bytes instead of 157', () => {
    const refunded = event(eventId, 'transaction.refunded', transactionId, '100.00', 'USD', createdAt);
    expect([storedFact(refunded).length, refunded.length]).toEqual([90, 157]);
  });

  it.each([
    [
      'an absent field',
      event(eventId, 'transaction.paid', null, null, null, null),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid    "]',
    ],
    [
      'a space, a quotation mark and another alphabet',
      event(eventId, 'account.updated', 'a "b" é', '1 000', 'USD', 'later on'),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ account.updated a%20%22b%22%20%C3%A9 1%20000 USD later%20on"]',
    ],
  ])('keeps %s', (_, fact, stored) => {
    const packed = packFact(fact);
    expect(packed && unpackFact(packed)).toBe(fact);
    expect(factOfStored(stored)).toBe(fact);
  });

  it.each([
    [
      'ids of other forms',
      event('order-2026-11-21-000000001', 'transaction.paid', 'x'.repeat(23), '1', 'USD', createdAt),
      '["event.2","order-2026-11-21-000000001 paid xxxxxxxxxxxxxxxxxxxxxxx 1 USD hns5h075s0"]',
    ],
    [
      'a UUID with text before it, and one with text after it',
      event(`evt_${eventId}`, 'transaction.paid', `${transactionId}_1`, '1', 'USD', createdAt),
      `["event.2","evt_${eventId} paid ${transactionId}_1 1 USD hns5h075s0"]`,
    ],
    [
      'the first microsecond of 1970',
      event(eventId, 'transaction.paid', null, '1', 'USD', '1970-01-01T00:00:00.000000Z'),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD 0"]',
    ],
    [
      'microseconds',
      event(eventId, 'transaction.paid', null, '1', 'USD', '1970-01-01T00:00:00.000035Z'),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD z"]',
    ],
    [
      'a time with text after it',
      event(eventId, 'transaction.paid', null, '1', 'USD', `${createdAt}+`),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD 2026-11-02T09%3A15%3A00.000000Z%2B"]',
    ],
    [
      'a time with text before it',
      event(eventId, 'transaction.paid', null, '1', 'USD', `+${createdAt}`),
      '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD %2B2026-11-02T09%3A15%3A00.000000Z"]',
    ],
  ])('of %s is shorter, too', (_, fact, stored) => {
    expect(storedFact(fact)).toBe(stored);
    expect(factOfStored(stored)).toBe(fact);
  });

  it.each([
    ['a fact whose short form is as long', event('éééééé', 'transaction.paid', null, null, null, null)],
    [
      'an id that looks like a packed one',
      event('EWR9JnPtSbiB7SOKK39NBQ', 'transaction.paid', null, '1', 'USD', createdAt),
    ],
    [
      'a time that looks like a packed one',
      event(eventId, 'transaction.paid', transactionId, '1', 'USD', 'hns5h075s0'),
    ],
    ['a name without a dot', event(eventId, 'ping', transactionId, '1', 'USD', createdAt)],
    ['an empty field', event(eventId, 'transaction.paid', '', '1', 'USD', createdAt)],
    ['a lone surrogate', event(eventId, 'transaction.paid', '\ud800', '1', 'USD', createdAt)],
    ['an alphabet that takes more room URL-encoded', event('é', 'п.п', 'пппп', 'пп', 'пп', 'пп')],
  ])('of %s is the fact itself', (_, fact) => {
    expect(storedFact(fact)).toBe(fact);
    expect(formsOf(fact)).toEqual([fact]);
  });

  it.each([
    fullFact,
    sharedFact(transactionId),
    conflictFact(eventId, 'ab'.repeat(32)),
    correctionFact(paid, 1),
    refoldedFact(eventId),
    resolvedFact({ attention: 'disputed', judgedSha256: 'ab', by: 'ann', at: createdAt, reason: 'checked' }),
    '["event.3","of a later release"]',
    '["event.3","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD z"]',
    '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid  1 USD z"}',
    '["event.2","one two"]',
    '["event.2","EWR9JnPtSbiB7SOKK39NBQ paid %E9 1 USD now"]',
    'no JSON',
  ])('leaves %s as it is', (text) => {
    expect([storedFact(text), factOfStored(text)]).toEqual([text, text]);
  });

  it('gives every fact back exactly, and is never longer', () => {
    const anyField = fc.oneof(
      fc.constant(null),
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.constantFrom('', ' ', '%20', '.', '-', 'transaction.', 'transaction.a.b', 'null', createdAt),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace('Z', '123Z')),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.base64String({ minLength: 20, maxLength: 24 }),
    );
    fc.assert(
      fc.property(fc.tuple(anyField, anyField, anyField, anyField, anyField, anyField), (fields) => {
        const fact = event(...fields);
        expect(factOfStored(storedFact(fact))).toBe(fact);
        expect(Buffer.byteLength(storedFact(fact))).toBeLessThanOrEqual(Buffer.byteLength(fact));
        const packed = packFact(fact);
        if (packed !== undefined) expect(unpackFact(packed)).toBe(fact);
      }),
      { numRuns: 2_000 },
    );
  });
});
