import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Reference[];
  readonly responses: Readonly<Record<string, Reference | DocumentedResponse>>;
}

interface DocumentedResponse {
  readonly content: Readonly<Record<string, { readonly schema: Reference; readonly example: unknown }>>;
}

interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly schema: Readonly<Record<string, unknown>>;
}

interface PathItem {
  readonly parameters?: readonly Reference[];
  readonly get: Operation;
}

const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
export const writtenText = readFileSync(file, 'utf8');
export const written = JSON.parse(writtenText);
const paths: Readonly<Record<string, PathItem>> = written.paths;

/** Every route as the code names it, with what the document says of it. */
export const documentedRoutes = Object.entries(paths).map(([path, item]) => ({
  routeKey: `GET ${path}`,
  parameters: [...(item.parameters ?? []), ...item.get.parameters].map((one) => resolve<Parameter>(one)),
  responses: Object.entries(item.get.responses).map(([status, response]) => ({
    status: Number(status),
    content: resolve<DocumentedResponse>(response).content,
  })),
}));

function resolve<T>(value: object): T {
  if (!('$ref' in value)) return value as T;
  const keys = String(value.$ref).slice(2).split('/');
  return keys.reduce<Readonly<Record<string, never>>>((at, key) => at[key] as never, written) as T;
}

/** The schemas by their names, as the document has them, but no property beside those that they name. */
const closed: Readonly<Record<string, object>> = JSON.parse(
  JSON.stringify(written.components.schemas).replaceAll('#/components/schemas/', ''),
  (_, value) =>
    value?.type === 'object' && 'properties' in value ? { ...value, additionalProperties: false } : value,
);

// Strict: a keyword that JSON Schema does not know is an error and no decoration.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
for (const [name, schema] of Object.entries(closed)) ajv.addSchema(schema, name);

/** What the document has against a body of this schema. */
export function objections({ $ref }: Reference, body: unknown): readonly string[] {
  const validate = ajv.compile({ $ref: $ref.replace('#/components/schemas/', '') });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export interface Given {
  readonly routeKey: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** What the document has against an answer; empty when it is one that it describes. */
export function undocumented({ routeKey, status, contentType, body }: Given): readonly string[] {
  const route = documentedRoutes.find((one) => one.routeKey === routeKey);
  const content = route?.responses.find((one) => one.status === status)?.content[contentType];
  if (content === undefined) return [`${routeKey} never answers ${status} ${contentType}`];
  return objections(content.schema, body);
}
