import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defaultRetryPolicy,
  operations,
  parseRetryAfter,
  pauseAfter,
  UnreachableError,
} from '../../src/client/index.ts';

describe('the retry policy', () => {
  it('4 names each operation once, and repeats no POST that may have been executed', () => {
    const table = Object.entries(operations).map(([name, { method, repeat }]) => [name, method, repeat]);
    expect(table).toEqual([
      ['listWebhooks', 'GET', 'always'],
      ['createWebhook', 'POST', 'unexecuted'],
      ['updateWebhook', 'PUT', 'always'],
      ['deleteWebhook', 'DELETE', 'always'],
      ['webhookHistory', 'GET', 'always'],
      ['refreshTokens', 'POST', 'unexecuted'],
      ['currentAccount', 'GET', 'always'],
    ]);
  });

  it('draws pauses from the upper half of a ceiling that doubles up to a bound', () => {
    const policy = { ...defaultRetryPolicy, attemptsMax: 9 };
    const error = new UnreachableError('listWebhooks', true, {});
    const pause = (number: number, random: number) =>
      pauseAfter(policy, { number, error, repeat: 'always', random });
    expect([1, 2, 3, 8].map((number) => pause(number, 0))).toEqual([125, 250, 500, 2_500]);
    expect([1, 2, 3, 8].map((number) => pause(number, 0.999))).toEqual([250, 500, 1_000, 4_998]);
    expect(pause(9, 0)).toBeUndefined();
  });

  it('reads Retry-After as seconds and as each of the three HTTP dates, and nothing else', () => {
    const now = Date.UTC(2026, 10, 2, 9, 0, 0);
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter(' 0 ', now)).toBe(0);
    expect(parseRetryAfter('Mon, 02 Nov 2026 09:00:07 GMT', now)).toBe(7_000);
    expect(parseRetryAfter('Monday, 02-Nov-26 09:00:07 GMT', now)).toBe(7_000);
    expect(parseRetryAfter('Mon Nov  2 09:00:07 2026', now)).toBe(7_000);
    expect(parseRetryAfter('Mon, 02 Nov 2026 08:00:00 GMT', now)).toBe(0);
    for (const header of [null, '', '-1', '1.5', '1e3', 'soon', '2026-11-02', 'Monday']) {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    }
  });
});

describe('the client', () => {
  it('could leave the repository: it imports itself and Node, and nothing else', () => {
    const folder = join(import.meta.dirname, '..', '..', 'src', 'client');
    const imports = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/ from '([^']+)'/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    expect(imports.length).toBeGreaterThan(30);
    expect(imports.filter((name) => !/^(\.\/[\w-]+\.ts|node:[\w/]+)$/.test(name))).toEqual([]);
  });
});
