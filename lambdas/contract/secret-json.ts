import * as v from 'valibot';

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const notATime = 'is not a time; expected ISO 8601 with a zone, such as 2026-12-01T00:00:00Z';

/** A time in ISO 8601 with a zone; its output is milliseconds since the epoch. */
export const timeSchema = v.pipe(
  v.string(notATime),
  v.regex(isoTime, notATime),
  v.transform(Date.parse),
  v.finite(notATime),
);

/** Milliseconds since the epoch; `undefined` for anything but a time in ISO 8601 with a zone. */
export function parseTime(text: string): number | undefined {
  const { success, output } = v.safeParse(timeSchema, text);
  return success ? output : undefined;
}

/**
 * The JSON of a secret, or what is wrong with it. Every message of `schema` has to be our own: a
 * `SyntaxError` and the default messages of the library quote the value.
 */
export function readSecretJson<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
): { readonly value: v.InferOutput<Schema> } | { readonly problem: string } {
  const json = parseJson(text);
  if (json === undefined) return { problem: 'is not JSON' };
  const result = v.safeParse(schema, json);
  if (result.success) return { value: result.output };
  const [{ message }] = result.issues;
  const path = v.getDotPath(result.issues[0])?.replaceAll(/\.(\d+)/g, '[$1]');
  return { problem: path === undefined ? message : `is malformed: ${path} ${message}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
