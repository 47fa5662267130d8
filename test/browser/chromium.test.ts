import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { findChromium } from './chromium.ts';

it('PAYHOOKS_CHROMIUM may name any file', () => {
  expect(findChromium({ PAYHOOKS_CHROMIUM: process.execPath })).toBe(process.execPath);
});

it.each([tmpdir(), '/nowhere/chromium'])('PAYHOOKS_CHROMIUM=%s, which is no file, is refused', (place) => {
  expect(() => findChromium({ PAYHOOKS_CHROMIUM: place })).toThrow(
    `PAYHOOKS_CHROMIUM=${place} names no file: install Debian's package`,
  );
});
