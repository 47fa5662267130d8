import { expect, it } from 'vitest';
import { href, idOf, isWellEncoded } from '../../../console/page/data/href.ts';

const ids = [
  'a/b',
  '%2F',
  '../..',
  '/',
  'a?b#c',
  '100%',
  ' ',
  '😀',
  '\u202e',
  'é'.repeat(255),
  '{{7*7}}',
  '+',
  '\\',
  '.',
  '..',
  '...',
  '~',
  '~.',
  '~~..',
];

it.each(ids)('the address of %j leads to the same id after a reload', (id) => {
  for (const address of [href.order(id, 'live'), href.event(id, 'sandbox'), href.transaction(id, 'live')]) {
    const { pathname } = new URL(address, 'http://127.0.0.1:4805');
    expect(isWellEncoded(pathname)).toBe(true);
    const [empty, console, kind, part = '', ...more] = pathname.split('/').map(decodeURIComponent);
    expect([empty, console, kind, idOf(part), more]).toEqual(['', 'console', expect.any(String), id, []]);
  }
});

it('no two ids have the same address', () => {
  expect(new Set(ids.map((id) => href.event(id, 'live'))).size).toBe(ids.length);
});

it.each(['/console/orders/100%', '/console/events/%zz', '/console/orders/%E0%A4%A'])(
  'a path is recognised that no address of the console has: %s',
  (path) => {
    expect(isWellEncoded(path)).toBe(false);
  },
);
