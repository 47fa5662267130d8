import { describe, expect, it } from 'vitest';
import { isStamp, readInstant } from '../../../lambdas/contract/instant.ts';

describe('a time', () => {
  it.each([
    ['2026-11-21T10:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:01Z', '2026-11-21T10:00:01.000Z'],
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T10:00:00-01:30', '2026-11-21T11:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is stored as %s', (text, stored) => {
    expect(readInstant(text)).toBe(stored);
    expect(isStamp(stored)).toBe(true);
  });

  it.each([
    ...['2026-02-30T10:00:00Z', '2026-13-01T10:00:00Z', '2026-11-21T25:00:00Z', '2026-11-21T24:00:00Z'],
    ...['2026-11-21T10:00:00', '2026-11-21', '2026-11-21T10Z', '2026-11-21T10:00:00.1234567890Z', ''],
    ...['x2026-11-21T10:00:00Z', '2026-11-21T10:00:00Zx', '2026-11-21 10:00:00Z', '2026-11-21T10:00:00+0200'],
    ...['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00', '+012026-11-21T10:00:00.000Z'],
    // Times for JavaScript, which skips what follows a null character or a parenthesis.
    ...['2026-11-21T10:00:00Z\u0000x', '1(2026-11-21T10:00:00Z'],
  ])('%j is none', (text) => {
    expect(readInstant(text)).toBeUndefined();
  });

  it.each(['2026-11-21T10:00:00Z', '+012026-11-21T10:00:00.000Z', '-000001-01-01T00:00:00.000Z', 'now'])(
    '%s is not as payhooks stores it',
    (text) => {
      expect(isStamp(text)).toBe(false);
    },
  );
});
