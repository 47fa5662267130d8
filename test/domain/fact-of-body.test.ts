import { describe, expect, it } from 'vitest';
import { factOfBody, parseFact, UnreadableFactError } from '../../lambdas/domain/fact.ts';
import { eventBody } from '../doubles/event-body.ts';

describe('factOfBody', () => {
  it('is what the signed body says', () => {
    const fact = factOfBody(eventBody({ id: 'evt-1', order: 'A' })) ?? '';
    expect(parseFact(fact)).toMatchObject({ kind: 'event', eventId: 'evt-1', eventName: 'transaction.paid' });
  });

  it('is undefined for a body that is not an event', () => {
    expect(factOfBody(Buffer.from('no JSON'))).toBeUndefined();
  });
});

it('a fact of a newer release is an error that says what to do, without the text of the fact', () => {
  const error = new UnreadableFactError('["customer.9","Ann"]');
  expect(error.name).toBe('UnreadableFactError');
  expect(error.message).toMatch(
    /^An order holds a fact of 20 characters that this version cannot read; expected/,
  );
  expect(error.message).toContain('an array tagged "event.');
  expect(error.message).toContain('"conflict.1", "shared.1", "full.1"');
  expect(error.message).toMatch(/Deploy the version that wrote it, or a newer one\.$/);
  expect(error.message).not.toContain('Ann');
});
