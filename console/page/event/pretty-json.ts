/** A line of pretty JSON, and the same with customer data replaced by dots. */
export interface JsonLine {
  readonly text: string;
  readonly masked: string;
}

/** Customers and cards in API document v2 (2.3), and what merchants may put customer data into. */
const customerKeys: ReadonlySet<string | undefined> = new Set(['customer', 'card', 'token', 'metadata']);

/** What moves money, and names it. Any other value may be customer data: most events are not documented. */
const plainKeys: ReadonlySet<string> = new Set([
  ...['id', 'event_name', 'sandbox', 'object', 'status', 'created_at'],
  ...['order_id', 'transaction_id', 'amount', 'currency', 'base_amount', 'base_currency'],
]);
const isPlain = (key: string, parent: string | undefined): boolean =>
  plainKeys.has(key) || (key === 'name' && parent === 'payment_method');

interface Place {
  /** The nearest key; an item of an array has that of the array. */
  readonly key: string | undefined;
  /** Below a key with customer data. */
  readonly isCustomer: boolean;
  readonly isMasked: boolean;
}

const root: Place = { key: undefined, isCustomer: false, isMasked: true };
/** The indentation, the key, the value or its bracket, and the comma. */
const parts = /^( *)("(?:[^"\\]|\\.)*": )?(.*?)(,?)$/;
/** A key of a format; any other, such as an address, may be customer data. */
const identifier = /^[\w.-]{1,64}$/;

/**
 * JSON in lines of two spaces per level. A value is masked unless its key is known, and not below a key with
 * customer data: letters and digits become dots, so that length and punctuation stay.
 */
export function prettyLines(value: unknown): readonly JsonLine[] {
  /** The places that the lines of each depth are in. */
  const places: Place[] = [];
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((text) => {
      const [, indent = '', label = '', content = '', comma = ''] = parts.exec(text) ?? [];
      const depth = indent.length / 2;
      const above = places[depth - 1] ?? root;
      const name = label === '' ? undefined : String(JSON.parse(label.slice(0, -2)));
      const key = name ?? above.key;
      const isCustomer = above.isCustomer || customerKeys.has(key);
      const isMasked = isCustomer || (name === undefined ? above.isMasked : !isPlain(name, above.key));
      places[depth] = { key, isCustomer, isMasked };
      const isPlainLabel = name === undefined || identifier.test(name);
      const isPlainContent = !isMasked || content === 'null' || /^[[\]{}]/.test(content);
      const shown = [isPlainLabel ? label : mask(label), isPlainContent ? content : mask(content)];
      return { text, masked: `${indent}${shown.join('')}${comma}` };
    });
}

/** Dots for letters, marks and digits; the quotes and other punctuation of the JSON stay. */
const mask = (text: string): string => text.replace(/[\p{L}\p{M}\p{N}\p{S}\p{C}]/gu, '•');
