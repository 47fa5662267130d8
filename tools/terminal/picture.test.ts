import { expect, it } from 'vitest';
import { pictureOf } from './picture.ts';

it('a picture escapes its text, keeps its spaces and gives every line a row', () => {
  const svg = pictureOf(['$ a <b> & c', '', '  d'], 'e & f');
  expect(svg).toContain('viewBox="0 0 820 83"');
  expect(svg).toContain('<title>e\u00a0&amp;\u00a0f</title>');
  expect(svg).toContain('fill="#7ee787">$\u00a0a\u00a0&lt;b&gt;\u00a0&amp;\u00a0c</text>');
  expect(svg).toContain('>\u00a0\u00a0d</text>');
});

it('a line that is wider than the picture goes on indented, and a word without a space is cut', () => {
  const lines = [...pictureOf([`  ${'word '.repeat(30)}`, 'x'.repeat(110)], '').matchAll(/">(.*)<\/text>/g)];
  const widths = lines.map(([, line = '']) => line.length);
  expect(lines[1]?.[1]).toMatch(/^\u00a0{4}word/);
  expect(Math.max(...widths)).toBe(108);
  expect(widths.at(-1)).toBe(4);
});
