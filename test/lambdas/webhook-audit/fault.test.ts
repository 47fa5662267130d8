import { UnreachableError } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { faultOf } from '../../../lambdas/webhook-audit/fault.ts';

const detailOf = (cause: unknown) =>
  faultOf(new UnreachableError('listWebhooks', false, { cause }), 'oauth')?.detail.replace(
    /^.*was not sent\./,
    '',
  );
const named = (name: string, more: object = {}) => Object.assign(new Error('text'), { name }, more);

describe('a call without a response', () => {
  it.each([
    [
      'a code at the end of the chain',
      new Error('fetch', { cause: named('E', { code: 'ECONNRESET' }) }),
      ' Network error: ECONNRESET.',
    ],
    ['the end of its time', named('TimeoutError'), ' The call took too long.'],
    [
      'the end of its time, inside of another error',
      new Error('fetch', { cause: named('TimeoutError') }),
      ' The call took too long.',
    ],
    ['an error without a code', named('TypeError', { code: 7 }), ''],
    ['no error', 'a text', ''],
  ])('is explained by %s', (_, cause, expected) => {
    expect(detailOf(cause)).toBe(expected);
  });

  it('is explained although its causes form a circle', () => {
    const cause = named('E');
    cause.cause = cause;
    expect(detailOf(cause)).toBe('');
  });
});
