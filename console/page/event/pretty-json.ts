import { NumberText } from './read-body.ts';

/** A line of pretty JSON, and the same with customer data replaced by dots. */
export interface JsonLine {
  readonly text: string;
  readonly masked: string;
}

/** Customers and cards in API document v2 (2.3), and what merchants may put customer data into. */
const customerKeys: ReadonlySet<string> = new Set(['customer', 'card', 'token', 'metadata']);

/** What moves money, and names it. Any other value may be customer data: most events are not documented. */
const plainKeys: ReadonlySet<string> = new Set([
  ...['id', 'event_name', 'sandbox', 'object', 'status', 'created_at'],
  ...['order_id', 'transaction_id', 'amount', 'currency', 'base_amount', 'base_currency'],
]);
const isPlain = (key: string | undefined, parent: string | undefined): boolean =>
  key !== undefined && (plainKeys.has(key) || (key === 'name' && parent === 'payment_method'));

/**
 * JSON in lines of two spaces per level. A value is masked unless its key is known, and not below a key with
 * customer data: letters and digits become dots, so that length and punctuation stay.
 */
export function prettyLines(value: unknown): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const root = { key: undefined, isCustomer: false, isMasked: true };
  write(value, { ...root, before: '', maskedBefore: '', after: '', depth: 0 }, lines);
  return lines;
}

interface Place {
  /** The indentation and the key. */
  readonly before: string;
  readonly maskedBefore: string;
  readonly after: string;
  readonly depth: number;
  /** The nearest key; an item of an array has that of the array. */
  readonly key: string | undefined;
  /** Below a key with customer data. */
  readonly isCustomer: boolean;
  readonly isMasked: boolean;
}

function write(value: unknown, place: Place, lines: JsonLine[]): void {
  const { before, maskedBefore, after, depth, key: parent, isCustomer, isMasked } = place;
  const add = (text: string, end: string, masked = text): void => {
    lines.push({ text: `${before}${text}${end}`, masked: `${maskedBefore}${masked}${end}` });
  };
  const entries = entriesOf(value);
  if (entries === undefined) {
    const text = scalar(value);
    add(text, after, isMasked && value !== null ? mask(text) : text);
    return;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) {
    add(`${open}${close}`, after);
    return;
  }
  add(`${open}`, '');
  const indent = '  '.repeat(depth + 1);
  for (const [n, [name, child]] of entries.entries()) {
    const key = name ?? parent;
    const isBelow = isCustomer || (key !== undefined && customerKeys.has(key));
    const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
    const isMaskedBelow = isBelow || (name === undefined ? isMasked : !isPlain(name, parent));
    write(
      child,
      {
        before: indent + label,
        maskedBefore: indent + (name === undefined || identifier.test(name) ? label : mask(label)),
        after: n < entries.length - 1 ? ',' : '',
        ...{ depth: depth + 1, key, isCustomer: isBelow, isMasked: isMaskedBelow },
      },
      lines,
    );
  }
  const end = `${'  '.repeat(depth)}${close}${after}`;
  lines.push({ text: end, masked: end });
}

/** A key of a format; any other, such as an address, may be customer data. */
const identifier = /^[\w.-]{1,64}$/;

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
