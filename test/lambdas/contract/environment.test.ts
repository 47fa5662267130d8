import { describe, expect, it, vi } from 'vitest';
import {
  MissingVariableError,
  optionalCount,
  optionalVariable,
  requiredVariable,
} from '../../../lambdas/contract/environment.ts';

describe('requiredVariable', () => {
  it('returns the value of the variable', () => {
    vi.stubEnv('EVENT_QUEUE_URL', 'https://queue.example');
    expect(requiredVariable('EVENT_QUEUE_URL')).toBe('https://queue.example');
  });

  it.each([undefined, ''])('throws an error that names the variable when its value is %j', (value) => {
    vi.stubEnv('EVENT_QUEUE_URL', value);
    expect(() => requiredVariable('EVENT_QUEUE_URL')).toThrow(MissingVariableError);
    expect(() => requiredVariable('EVENT_QUEUE_URL')).toThrow('EVENT_QUEUE_URL');
  });
});

const missing =
  'The environment variable EVENT_QUEUE_URL is not set; the stack sets it, so the deployment is incomplete.';

it('a missing variable is an error with a name and what it means', () => {
  const { name, message } = new MissingVariableError('EVENT_QUEUE_URL');
  expect([name, message]).toEqual(['MissingVariableError', missing]);
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
