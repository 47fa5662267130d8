import { describe, expect, it, vi } from 'vitest';
import { optionalCount, optionalVariable, requiredVariable } from '../../../lambdas/contract/environment.ts';

it.each([undefined, ''])('requiredVariable refuses the value %j with what that means', (value) => {
  vi.stubEnv('EVENT_QUEUE_URL', value);
  const message =
    'The environment variable EVENT_QUEUE_URL is not set; the stack sets it, so the deployment is incomplete.';
  const refused = { name: 'MissingVariableError', message };
  expect(() => requiredVariable('EVENT_QUEUE_URL')).toThrow(expect.objectContaining(refused));
});

it('optionalVariable reads a text, and an empty one as none', () => {
  const read = (value: string | undefined) => {
    vi.stubEnv('WEBHOOK_URL', value);
    return optionalVariable('WEBHOOK_URL');
  };
  expect([undefined, '', 'https://shop.example'].map(read)).toEqual([
    ...[undefined, undefined, 'https://shop.example'],
  ]);
});

describe('optionalCount', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['30', 30],
    ['7', 7],
  ])('reads %j as %j', (value, count) => {
    vi.stubEnv('EVENT_RETENTION_DAYS', value);
    expect(optionalCount('EVENT_RETENTION_DAYS')).toBe(count);
  });

  it.each(['0', '-1', '1.5', '1e3', 'thirty', ' 30', '30 ', 'x30'])('refuses %j', (value) => {
    vi.stubEnv('EVENT_RETENTION_DAYS', value);
    expect(() => optionalCount('EVENT_RETENTION_DAYS')).toThrow(
      `EVENT_RETENTION_DAYS is "${value}"; expected a whole, positive number.`,
    );
  });
});
