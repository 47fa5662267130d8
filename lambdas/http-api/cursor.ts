import * as v from 'valibot';

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
