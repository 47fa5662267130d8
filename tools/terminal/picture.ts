const columns = 108;
const characterWidth = 7.3;
const lineHeight = 17;
const margin = 16;

/** The first that matches decides. All of them have a contrast of 7 or more on the background. */
const colours: readonly (readonly [RegExp, string])[] = [
  [/^(\[| ?\d+\. )/, '#e6edf3'],
  [/^ *\$ |^✓|^\S+ is paid$/, '#7ee787'],
  [/^✗| fires \(|FAILED|^ *(NOW|TODAY|THIS WEEK)$|→ 403/, '#ff9790'],
  [/^ +attention: |as quarantined/, '#e3b341'],
  [/ ends \d+ min |is lost|^ *(Applied|Dismissed|Resolved) /, '#7ee787'],
  [/→|->/, '#79c0ff'],
];
const plain = '#b3bcc6';

/** Lines of a terminal as an SVG image, dark with a border: readable on light and on dark pages. */
export function pictureOf(lines: readonly string[], title: string): string {
  const shown = lines.flatMap(wrapped);
  const [width, height] = [columns * characterWidth + 2 * margin, shown.length * lineHeight + 2 * margin];
  const texts = shown.map((line, index) => {
    const colour = colours.find(([pattern]) => pattern.test(line))?.[1] ?? plain;
    const y = margin + (index + 0.8) * lineHeight;
    return `<text x="${margin}" y="${y.toFixed(1)}" fill="${colour}">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117" stroke="#444c56"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">`,
    ...texts,
    '</g></svg>\n',
  ].join('\n');
}

/** Lines of the picture's width; what follows keeps the indentation. */
function wrapped(line: string): string[] {
  if (line.length <= columns) return [line];
  const space = line.lastIndexOf(' ', columns);
  const indentation = /^ */.exec(line)?.[0] ?? '';
  const end = space > indentation.length ? space : columns;
  return [line.slice(0, end), ...wrapped(`${indentation}  ${line.slice(end).trimStart()}`)];
}

/** SVG collapses ordinary spaces. */
const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');
