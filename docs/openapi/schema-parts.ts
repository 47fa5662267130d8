/** The pieces that the schemas of `schemas.ts` are put together from; JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const text = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...more,
});

export const nullableText = (description: string): Schema => ({ type: ['string', 'null'], description });

const instantFormat = { format: 'date-time', examples: ['2026-11-21T10:00:00.000Z'] };

export const instant = (description: string): Schema => text(description, instantFormat);

export const nullableInstant = (description: string): Schema => ({
  ...nullableText(description),
  ...instantFormat,
});

export const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description });

export const nullable = (schema: Schema, description: string): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});

/** One of a closed set, with the meaning of each value. */
export function oneOf(meaning: string, values: Readonly<Record<string, string>>): Schema {
  const lines = Object.entries(values).map(([value, means]) => `- \`${value}\`: ${means}`);
  return { type: 'string', enum: Object.keys(values), description: [meaning, '', ...lines].join('\n') };
}

/**
 * Every property is always there. Nothing forbids others: an older reader must not break when a later version
 * tells more.
 */
export function object(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}
