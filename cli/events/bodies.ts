import type { EventBodies, RecordWithBody } from '@payhooks/order-client';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { besideFirst } from './records.ts';

/** So that two values and the name of their field fit a screen. */
const valueCharactersMax = 32;

/** The fields of each body beside those of the first; what differs is marked. */
export function printBodies(terminal: Terminal, { records, more }: EventBodies): void {
  for (const group of besideFirst(records)) {
    const fields = group.map(fieldsOf);
    const names = [...new Set(fields.flatMap((one) => [...one.keys()]))];
    terminal.print('');
    terminal.table(
      ['', 'FIELD', ...group.map(({ record }) => record.toUpperCase())],
      names.map((name) => {
        const values = fields.map((one) => one.get(name) ?? '-');
        const mark = new Set(values).size > 1 ? '≠' : '';
        const characters = group.length === 1 ? 2 * valueCharactersMax : valueCharactersMax;
        return [mark, name, ...values.map((value) => printable(value, characters))];
      }),
    );
  }
  if (more) terminal.print('More bodies are stored: select one with --body-sha256.');
}

/** Each value of a JSON body under its path; the text itself of another body. */
function fieldsOf({ body_base64 }: RecordWithBody): ReadonlyMap<string, string> {
  if (body_base64 === null) return new Map();
  const text = Buffer.from(body_base64, 'base64').toString();
  try {
    return new Map(leavesOf(JSON.parse(text), ''));
  } catch {
    return new Map([['(not JSON)', text]]);
  }
}

function leavesOf(value: unknown, path: string): readonly [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, path === '' ? name : `${path}.${name}`),
  );
}
