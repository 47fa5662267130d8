/** A table as the documents write it; the first column is text, the others are aligned as numbers unless told. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numbers = true,
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${header.map((_, index) => (numbers && index > 0 ? '---:' : '---')).join('|')}|`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}

/** Dollars and cents; below a cent with two digits that count. */
export function dollars(amount: number): string {
  if (amount !== 0 && Math.abs(amount) < 0.005) return `$${amount.toPrecision(1)}`;
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export const whole = (count: number): string => Math.round(count).toLocaleString('en-US');

/** A count that may be a half or a mean. */
export const count = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 0 });

/** `1.5 ×`. */
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

const block = (name: string): RegExp =>
  new RegExp(`(<!-- measured: ${name} -->\n)(?:(?!<!-- )[\\s\\S])*(<!-- /measured -->)`);

/** The document with its tables as they are measured. Throws for a table that it has no place for, or too many. */
export function fill(document: string, tables: Readonly<Record<string, string>>): string {
  const places = [...document.matchAll(/<!-- measured: ([\w-]+) -->/g)].map(([, name = '']) => name);
  const unknown = places.filter((name) => !Object.hasOwn(tables, name));
  const missing = Object.keys(tables).filter((name) => !places.includes(name));
  if (unknown.length + missing.length > 0) {
    throw new Error(
      `Tables without a place: ${missing.join(', ')}; places without a table: ${unknown.join(', ')}.`,
    );
  }
  return Object.entries(tables).reduce(
    (filled, [name, text]) =>
      filled.replace(block(name), (_, start: string, end: string) => `${start}${text}\n${end}`),
    document,
  );
}
