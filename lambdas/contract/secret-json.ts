import * as v from 'valibot';
import { instant } from './instant.ts';

const notATime = 'is not a time; expected ISO 8601 with a zone, such as 2026-12-01T00:00:00Z';

/** A time in ISO 8601 with a zone; its output is milliseconds since the epoch. */
export const timeSchema = v.pipe(instant(notATime), v.transform(Date.parse));

/**
 * The JSON of a secret; throws `malformed` with what is wrong. Every message of `schema` has to be our own: a
 * `SyntaxError` and the default messages of the library quote the value.
 */
export function readSecretJson<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
  malformed: (problem: string) => Error,
): v.InferOutput<Schema> {
  const json = v.pipe(v.string(), v.parseJson(undefined, 'is not JSON'), schema);
  const { success, output, issues } = v.safeParse(json, text);
  if (success) return output;
  const [{ message }] = issues;
  const path = v.getDotPath(issues[0])?.replaceAll(/\.(\d+)/g, '[$1]');
  throw malformed(path === undefined ? message : `is malformed: ${path} ${message}`);
}
