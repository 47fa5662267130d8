import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

interface Reference {
  readonly $ref: string;
}

/** A response, or the body of a request. */
interface Documented {
  readonly content: Readonly<Record<string, { readonly schema: Reference; readonly example: unknown }>>;
}

interface Operation {
  readonly parameters: readonly Reference[];
  readonly requestBody?: Documented;
  readonly responses: Readonly<Record<string, Reference | Documented>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
}

interface PathItem {
  readonly parameters?: readonly Reference[];
  readonly get?: Operation;
  readonly post?: Operation;
}

const read = (file: string) =>
  parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs', file), 'utf8'));
const documents = {
  'openapi.yaml': read('openapi.yaml'),
  'operations.openapi.yaml': read('operations.openapi.yaml'),
};
type File = keyof typeof documents;

/** The target of a reference, which may be in the other document. */
function resolve<T>(value: object, from: File): T {
  if (!('$ref' in value)) return value as T;
  const [file = '', path = ''] = String(value.$ref).split('#/');
  const document = documents[(file || from) as File];
  return path
    .split('/')
    .reduce<Readonly<Record<string, never>>>((at, key) => at[key] as never, document) as T;
}

/** The schemas of both documents by name, changed to forbid properties that they do not list. */
const schemas = Object.assign({}, ...Object.values(documents).map(({ components }) => components.schemas));
const closedSchemas: Readonly<Record<string, object>> = JSON.parse(
  JSON.stringify(schemas)
    .replaceAll(/(openapi\.yaml)?#\/components\/schemas\//g, '')
    .replaceAll('"allOf":[{"$ref":"', '$&open-'),
  (_, value) =>
    value?.type === 'object' && ('properties' in value || 'allOf' in value) ? closed(value) : value,
);

function closed({ allOf, ...schema }: { readonly allOf?: readonly object[] }): object {
  return { ...schema, ...(allOf && { allOf: allOf.map(open) }), unevaluatedProperties: false };
}

/** A part of a schema, which does not list all properties of it. */
function open({ unevaluatedProperties: _, ...schema }: { readonly unevaluatedProperties?: false }): object {
  return schema;
}

// Strict: a keyword that JSON Schema does not know is an error.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
for (const [name, schema] of Object.entries(closedSchemas)) {
  ajv.addSchema(open(schema), `open-${name}`);
  // Open sets: readers accept any value, but this version sends no other.
  ajv.addSchema('examples' in schema ? { ...schema, enum: schema.examples } : schema, name);
}

export function schemaErrors({ $ref }: Reference, body: unknown): readonly string[] {
  const validate = ajv.compile({ $ref: $ref.replace(/^.*\//, '') });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface GivenResponse {
  readonly routeKey: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** A document, its routes as the code names them, and how responses deviate from it. */
export function readOpenApi(file: File) {
  const document = documents[file];
  const paths: Readonly<Record<string, PathItem>> = document.paths;
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { parameters, requestBody, responses } = operation;
      return [
        {
          routeKey: `${method.toUpperCase()} ${path}`,
          parameters: [...(item.parameters ?? []), ...parameters].map((one) => resolve<Parameter>(one, file)),
          request: requestBody?.content['application/json'],
          responses: Object.entries(responses).map(([status, response]) => ({
            status: Number(status),
            content: resolve<Documented>(response, file).content,
          })),
        },
      ];
    }),
  );
  return {
    document,
    routes,
    /** How a response deviates from the document; empty when it does not. */
    deviations({ routeKey, status, contentType, body }: GivenResponse): readonly string[] {
      const route = routes.find((one) => one.routeKey === routeKey);
      const content = route?.responses.find((one) => one.status === status)?.content[contentType];
      if (content === undefined) return [`${routeKey} has no documented response ${status} ${contentType}`];
      return schemaErrors(content.schema, body);
    },
  };
}
