import * as v from 'valibot';

/** Where JSON differs from a schema. It never holds a value: that may be a secret in the wrong place. */
export interface Mismatch {
  /** Such as `$.data[0].id`. */
  readonly path: string;
  /** The first key of the path; `body` for the whole. */
  readonly field: string;
  readonly expected: string;
  /** The type that was found, such as "a number". */
  readonly found: string;
}

type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mismatch: Mismatch };
type Issue = v.GenericIssue;

export function checkJson<Schema extends v.GenericSchema>(
  schema: Schema,
  json: unknown,
): Checked<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, json, { abortEarly: true });
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, mismatch: mismatchOf(result.issues[0]) };
}

/** Such as `$.data[0].id is a number; expected a string`. */
export const sentenceOf = ({ path, found, expected }: Omit<Mismatch, 'field'>): string =>
  `${path} is ${found}; expected ${expected}`;

/** The JSON of a text, or `undefined`. The parser's own error quotes the text and is dropped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mismatchOf(issue: Issue): Mismatch {
  const keys = (issue.path ?? []).map(({ key }) => key);
  const steps = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return {
    path: `$${steps.join('')}`,
    field: keys.length === 0 ? 'body' : String(keys[0]),
    expected: expectedBy(issue),
    found: kindOf(valueAt(issue)),
  };
}

/** The input of a forwarded check is the whole object, that of an unknown field its name. */
function valueAt({ kind, expected, path, input }: Issue): unknown {
  const isElsewhere = kind === 'validation' || expected === 'never';
  return isElsewhere && path !== undefined ? path.at(-1)?.value : input;
}

function expectedBy({ expected, message, type, input, path }: Issue): string {
  if (expected === 'never') return 'no such field';
  // An object reports a missing key, with the name of the key as expected.
  if (type.endsWith('object') && input === undefined && path !== undefined) return 'a value';
  // valibot words its default messages with the value that it received.
  if (!message.startsWith('Invalid ')) return message;
  if (expected === null) return 'another value';
  return types.test(expected) ? withArticle(expected.toLowerCase()) : expected;
}

const types = /^(string|number|boolean|array|object)$/i;

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** `v.object` takes arrays as well. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'an object',
);

export const textLike = (pattern: RegExp, expected: string) => v.pipe(v.string(), v.regex(pattern, expected));

export const integerFrom = (min: number) =>
  v.pipe(v.number(), v.safeInteger(`an integer from ${min}`), v.minValue(min, `an integer from ${min}`));
