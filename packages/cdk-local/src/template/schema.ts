import * as v from 'valibot';

/** A part of the template cannot be emulated; the message names the resource and the property. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

// The message of each schema completes the sentence "expected …".

/** CloudFormation accepts numbers and booleans as text, and text as numbers and booleans. */
export const text = v.pipe(v.union([v.string(), v.number(), v.boolean()], 'text'), v.transform(String));
const digits = v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/), v.transform(Number));
export const number = v.union([v.number(), digits], 'a number');
export const flag = v.pipe(
  text,
  v.transform((given) => given === 'true'),
);
export const list = v.array(v.unknown(), 'a list');
export const dictionary = v.record(v.string(), v.unknown(), 'an object');
export const object = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object(entries, 'an object');
export const oneOf = <const Options extends readonly string[]>(...options: Options) =>
  v.picklist(options, options.map((option) => `"${option}"`).join(' or '));

/** Throws a `TemplateError` that names the place of the first value that does not match. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  where: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [{ input, message, path = [] }] = result.issues;
  const place = [where, ...path.map(({ key }) => String(key))].join('.');
  const fault = input === undefined ? 'is missing' : `is ${JSON.stringify(input)}; expected ${message}`;
  throw new TemplateError(`${place} ${fault}.`);
}

export const templateParts = object({
  Resources: v.record(
    v.string(),
    object({
      Type: text,
      Properties: v.optional(dictionary, {}),
      Metadata: v.optional(dictionary, {}),
      Condition: v.optional(v.unknown()),
    }),
    'an object',
  ),
  Outputs: v.optional(v.record(v.string(), object({ Value: v.unknown() }), 'an object'), {}),
});

export type TemplateParts = v.InferOutput<typeof templateParts>;
