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

export type Checked<T> =
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
    : { ok: false, mismatch: mismatchOf(schema, result.issues[0]) };
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

function mismatchOf(schema: v.GenericSchema, issue: Issue): Mismatch {
  const keys = (issue.path ?? []).map(({ key }) => key);
  const steps = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return {
    path: `$${steps.join('')}`,
    field: keys.length === 0 ? 'body' : String(keys[0]),
    expected: expectedBy(schema, issue, keys),
    found: kindOf(valueAt(issue)),
  };
}

/** The input of a forwarded check is the whole object, that of an unknown field its name. */
function valueAt({ kind, expected, path, input }: Issue): unknown {
  const isElsewhere = kind === 'validation' || expected === 'never';
  return isElsewhere && path !== undefined ? path.at(-1)?.value : input;
}

function expectedBy(schema: v.GenericSchema, issue: Issue, keys: readonly unknown[]): string {
  if (issue.expected === 'never') return 'no such field';
  // valibot words its default messages with the value that it received.
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  const isMissingKey = issue.type.endsWith('object') && issue.input === undefined && keys.length > 0;
  if (!isMissingKey) return named(issue.expected);
  // The object reports a missing key; the schema of that key has what was expected.
  return named(keys.reduce<Node | undefined>(childOf, schema)?.expects ?? 'a value');
}

/** The parts of valibot's schemas that lead to the schema of a key. */
interface Node {
  readonly expects?: string | null;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly pipe?: readonly Node[];
  readonly options?: readonly Node[];
}

function childOf(node: Node | undefined, key: unknown): Node | undefined {
  const child = node?.entries?.[String(key)] ?? node?.item;
  if (node === undefined || child !== undefined) return child;
  const parts = [...(node.pipe ?? []), ...(node.options ?? [])];
  return parts.map((part) => childOf(part, key)).find((found) => found !== undefined);
}

const types = /^(string|number|boolean|array|object)$/i;

function named(expected: string | null): string {
  if (expected === null) return 'another value';
  return types.test(expected) ? withArticle(expected.toLowerCase()) : expected;
}

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
