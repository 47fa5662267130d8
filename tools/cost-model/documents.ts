import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const documentPath = (name: string): string => join(import.meta.dirname, '../../docs', `${name}.md`);
export const costDocument = documentPath('cost');
export const performanceDocument = documentPath('performance');

/** A document with the text of each `<!-- measured: name -->` block replaced by the table of that name. */
export function updatedDocument(path: string, tables: Readonly<Record<string, string>>): string {
  const block = /(<!-- measured: ([\w-]+) -->\n)(?:(?!<!-- )[\s\S])*(<!-- \/measured -->)/g;
  const fill = (_: string, start: string, title: string, end: string): string => {
    if (tables[title] === undefined) throw new Error(`${path} has a block "${title}" without a table.`);
    return `${start}${tables[title]}\n${end}`;
  };
  return readFileSync(path, 'utf8').replaceAll(block, fill);
}

/** A Markdown table with a header such as `name | bytes`; columns of numbers are aligned to the right. */
export function table(header: string, rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.map(decimal).join(' | ')} |`;
  const titles = header.split(' | ');
  const isNumeric = (column: number): boolean => rows.every((row) => /^\W*(\d|$)/.test(String(row[column])));
  const rule = `|${titles.map((_, column) => (isNumeric(column) ? '---:' : '---')).join('|')}|`;
  return [line(titles), rule, ...rows.map(line)].join('\n');
}

/** A number with at most two decimals; a text stays as it is. */
export const decimal = (value: number | string): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** Dollars and cents; below a cent one significant digit. */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.005) return `$${amount.toPrecision(1)}`;
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
