import * as v from 'valibot';
import { invalid, type ProblemError } from './problem.ts';

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
