import * as v from 'valibot';
import { readInstant } from '../contract/instant.ts';
import type { Mode } from '../domain/signature.ts';
import { invalid, type ProblemError } from './problem.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** A wrong parameter of the path or the query. */
export const wrongParameter = (parameter: string, given: string, expected: string): ProblemError =>
  invalid(parameter, `The parameter ${parameter} is ${JSON.stringify(given)}; expected ${expected}.`);

export function readMode({ mode = 'live' }: Parameters): Mode {
  if (mode === 'live' || mode === 'sandbox') return mode;
  throw wrongParameter('mode', mode, 'live or sandbox');
}

/** Refuses an unknown parameter: a typo must not silently change the request. */
export function refuseUnknown(parameters: Parameters, known: readonly string[]): void {
  for (const [name, given] of Object.entries(parameters)) {
    if (known.includes(name)) continue;
    const expected = known.length === 0 ? 'no parameters' : `one of the parameters ${known.join(', ')}`;
    throw wrongParameter(name, given ?? '', expected);
  }
}

/** Caps a limit above the maximum, as list APIs do; refuses zero and anything that is not a whole number. */
export function readLimit(
  { limit }: Parameters,
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
): number {
  if (limit === undefined) return byDefault;
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0) {
    throw wrongParameter('limit', limit, `a whole number from 1 to ${max}`);
  }
  return Math.min(Number(limit), max);
}

/** A time as payhooks stores it: ISO 8601 UTC with milliseconds. */
export function readTime(parameters: Parameters, name: string): string | undefined {
  const given = parameters[name];
  if (given === undefined) return undefined;
  const instant = readInstant(given);
  if (instant !== undefined) return instant;
  throw wrongParameter(name, given, 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z');
}

/** Reads a cursor with `decode`, which returns `undefined` for a text that is none. */
export function readCursor<Cursor>(
  { cursor: given }: Parameters,
  decode: (text: string) => Cursor | undefined,
): Cursor | undefined {
  if (given === undefined) return undefined;
  const cursor = decode(given);
  if (cursor !== undefined) return cursor;
  throw wrongParameter('cursor', given, 'the unchanged next_cursor of an earlier response');
}

/** The text of a cursor: JSON in base64url, because callers pass it in URLs. */
export const cursorText = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** The inverse, for JSON of this form; `undefined` for any other text. */
export function readCursorText<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  const json = v.pipe(v.string(), v.parseJson(), schema);
  const { success, output } = v.safeParse(json, Buffer.from(text, 'base64url').toString('utf8'));
  return success ? output : undefined;
}

/** A wrong field of the body. */
export function wrongField(field: string, given: unknown, expected: string): ProblemError {
  const shown = JSON.stringify(given)?.slice(0, 200) ?? 'missing';
  return invalid(field, `The field ${field} is ${shown}; expected ${expected}.`);
}

/**
 * The body of a request, an object of these fields and no others. The message of a schema is what it expects.
 * Throws ProblemError.
 */
export function readBody<const Fields extends v.ObjectEntries>(
  body: string | undefined,
  fields: Fields,
  bytesMax: number,
): v.InferOutput<v.StrictObjectSchema<Fields, string>> {
  const given = parseObject(body, bytesMax);
  const { success, issues, output } = v.safeParse(
    v.strictObject(fields, `one of the fields ${Object.keys(fields).join(', ')}`),
    given,
  );
  if (success) return output;
  // A typo must not read as another fault.
  const issue = issues.find(({ type }) => type === 'strict_object') ?? issues[0];
  const field = String(issue.path?.[0].key);
  throw wrongField(field, given[field], issue.message);
}

function parseObject(body = '', bytesMax: number): Readonly<Record<string, unknown>> {
  const bytes = Buffer.byteLength(body);
  const expected = `expected a JSON object of at most ${bytesMax} bytes`;
  const wrong = (what: string) => invalid('body', `The body of the request ${what}; ${expected}.`);
  if (bytes > bytesMax) throw wrong(`has ${bytes} bytes`);
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === 'object' && json !== null && !Array.isArray(json))
      return json as Readonly<Record<string, unknown>>;
  } catch {
    throw wrong('is not JSON');
  }
  throw wrong('is not an object');
}
