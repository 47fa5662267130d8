import * as v from 'valibot';
import { InvalidInputError } from './parameters.ts';

/** A wrong field of a request: the message names it, what was given and what is expected. */
export class FieldError extends InvalidInputError {
  override readonly name = 'FieldError';
  constructor(field: string, given: unknown, expected: string) {
    const shown = JSON.stringify(given);
    super(field, `The field ${field} is ${shown?.slice(0, 200) ?? 'missing'}; expected ${expected}.`);
  }
}

/**
 * The body of a request, an object of these fields and no others. The message of a schema is what it expects.
 * Throws InvalidInputError.
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
  throw new FieldError(field, given[field], issue.message);
}

function parseObject(body = '', bytesMax: number): Readonly<Record<string, unknown>> {
  const bytes = Buffer.byteLength(body);
  const expected = `expected a JSON object of at most ${bytesMax} bytes`;
  const wrong = (what: string) =>
    new InvalidInputError('body', `The body of the request ${what}; ${expected}.`);
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
