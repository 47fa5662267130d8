import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

interface Reference {
  readonly $ref: string;
}

interface DocumentedResponse {
  readonly content: Readonly<Record<string, { readonly schema: Reference; readonly example: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly schema: Readonly<Record<string, unknown>>;
}

interface PathItem {
  readonly parameters?: readonly Reference[];
  readonly get: {
    readonly parameters: readonly Reference[];
    readonly responses: Readonly<Record<string, Reference | DocumentedResponse>>;
  };
}

const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.yaml');
export const openApiDocument = parse(readFileSync(file, 'utf8'));
const paths: Readonly<Record<string, PathItem>> = openApiDocument.paths;

/** Every route as the code names it, with its parameters and responses in the document. */
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
  return keys.reduce<Readonly<Record<string, never>>>((at, key) => at[key] as never, openApiDocument) as T;
}

/** The schemas by name, changed to forbid properties that the document does not list. */
const closedSchemas: Readonly<Record<string, object>> = JSON.parse(
  JSON.stringify(openApiDocument.components.schemas).replaceAll('#/components/schemas/', ''),
  (_, value) =>
    value?.type === 'object' && 'properties' in value ? { ...value, additionalProperties: false } : value,
);

// Strict: a keyword that JSON Schema does not know is an error.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
for (const [name, schema] of Object.entries(closedSchemas)) ajv.addSchema(schema, name);

export function schemaErrors({ $ref }: Reference, body: unknown): readonly string[] {
  const validate = ajv.compile({ $ref: $ref.replace('#/components/schemas/', '') });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export interface GivenResponse {
  readonly routeKey: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** How a response deviates from the document; empty when it does not. */
export function deviations({ routeKey, status, contentType, body }: GivenResponse): readonly string[] {
  const route = documentedRoutes.find((one) => one.routeKey === routeKey);
  const content = route?.responses.find((one) => one.status === status)?.content[contentType];
  if (content === undefined) return [`${routeKey} has no documented response ${status} ${contentType}`];
  return schemaErrors(content.schema, body);
}
