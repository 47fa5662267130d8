import type { EventBodies, RecordWithBody } from '@payhooks/order-client';
import { printable, screenCharacters } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';
import { besideFirst } from './records.ts';

/** Enough to recognise a value although its field has a long name. */
const valueCharactersMin = 20;

/** The fields of each body next to those of the first; what differs is marked. */
export function printBodies(terminal: Terminal, { records, more }: EventBodies): void {
  if (records.every(({ body_base64 }) => body_base64 === null) && !more) {
    terminal.print('');
    terminal.print('No body is stored any more: it was erased, or has expired.');
    return;
  }
  for (const group of besideFirst(records)) {
    const fields = group.map(fieldsOf);
    const names = [...new Set(fields.flatMap((one) => [...one.keys()]))];
    const rest = screenCharacters - Math.max(...names.map((name) => name.length)) - 3;
    const width = Math.max(valueCharactersMin, Math.floor(rest / group.length) - 2);
    terminal.print('');
    terminal.table(
      ['', 'FIELD', ...group.map(({ record }) => record.toUpperCase())],
      names.map((name) => {
        const values = fields.map((one) => one.get(name) ?? '-');
        const mark = new Set(values).size > 1 ? '≠' : '';
        return [mark, name, ...values.map((value) => printable(value, width))];
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
