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

  it.each([
    [6, ' Network error: ECONNRESET.'],
    [7, ''],
  ])('is explained by a code up to the sixth cause; of %i: "%s"', (causes, expected) => {
    let cause = named('E', { code: 'ECONNRESET' });
    for (let more = 1; more < causes; more += 1) cause = new Error('text', { cause });
    expect(detailOf(cause)).toBe(expected);
  });

  it('is explained although its causes form a circle', () => {
    const cause = named('E');
    cause.cause = cause;
    expect(detailOf(cause)).toBe('');
  });
});

describe('a fault', () => {
  it('is the end of the time of an audit, and no other abort', () => {
    const late = new DOMException('', 'TimeoutError');
    const detail = 'The payment service took too long to list its webhooks.';
    expect(faultOf(late, 'oauth')).toEqual({ kind: 'service_unreachable', detail, fix: ['account'] });
    expect(faultOf(new DOMException('', 'AbortError'), 'oauth')).toBeUndefined();
    expect(faultOf(named('TimeoutError'), 'oauth')).toBeUndefined();
  });
});
