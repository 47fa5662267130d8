import { NumberText } from './read-body.ts';

/** A line of pretty JSON, and the same with customer data replaced by dots. */
export interface JsonLine {
  readonly text: string;
  readonly masked: string;
}

/** Customers and cards in API document v2 (2.3), and what merchants may put customer data into. */
const customerKeys: ReadonlySet<string> = new Set(['customer', 'card', 'token', 'metadata']);

/**
 * JSON in lines of two spaces per level. The values below a key with customer data are masked: letters and
 * digits become dots, so that length and punctuation stay.
 */
export function prettyLines(value: unknown): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  write(value, { before: '', after: '', depth: 0, isMasked: false }, lines);
  return lines;
}

interface Place {
  /** The indentation and the key. */
  readonly before: string;
  readonly after: string;
  readonly depth: number;
  readonly isMasked: boolean;
}

function write(value: unknown, place: Place, lines: JsonLine[]): void {
  const { before, after, depth, isMasked } = place;
  const entries = entriesOf(value);
  if (entries === undefined) {
    const text = scalar(value);
    lines.push(line(before, after, text, isMasked && value !== null ? mask(text) : text));
    return;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) {
    lines.push(line(before, after, `${open}${close}`));
    return;
  }
  lines.push(line(before, '', `${open}`));
  const indent = '  '.repeat(depth + 1);
  for (const [n, [key, child]] of entries.entries()) {
    const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
    write(
      child,
      {
        before: indent + name,
        after: n < entries.length - 1 ? ',' : '',
        depth: depth + 1,
        isMasked: isMasked || (key !== undefined && customerKeys.has(key)),
      },
      lines,
    );
  }
  lines.push(line('  '.repeat(depth), after, `${close}`));
}

const line = (before: string, after: string, text: string, masked = text): JsonLine => ({
  text: `${before}${text}${after}`,
  masked: `${before}${masked}${after}`,
});

type Entries = readonly (readonly [key: string | undefined, value: unknown])[];

function entriesOf(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((item) => [undefined, item]);
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return undefined;
  return Object.entries(value);
}

const scalar = (value: unknown): string =>
  value instanceof NumberText ? value.text : (JSON.stringify(value) ?? 'null');

/** Dots for letters, marks and digits; the quotes and other punctuation of the JSON stay. */
const mask = (text: string): string => text.replace(/[\p{L}\p{M}\p{N}\p{S}\p{C}]/gu, '•');
