// Writes src/openapi-types.ts, which is not committed: the paths and schemas of both OpenAPI documents.
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocuments } from './openapi-documents.ts';

const orderQuery = openApiDocuments['openapi.yaml'];
// Both documents have a parameter `limit`, for example, and they differ.
const operations = JSON.parse(
  JSON.stringify(openApiDocuments['operations.openapi.yaml'])
    .replaceAll('"#/components/parameters/', '"#/components/parameters/operations_')
    .replaceAll('"openapi.yaml#/', '"#/'),
);
const parameters = Object.entries(operations.components.parameters).map(([name, parameter]) => [
  `operations_${name}`,
  parameter,
]);

function merged(name: 'parameters' | 'responses' | 'schemas', own: object) {
  const known = orderQuery.components[name];
  const twice = Object.keys(own).filter((key) => Object.hasOwn(known, key));
  if (twice.length > 0) throw new Error(`Both documents have the ${name} ${twice.join(', ')}; rename them.`);
  return { ...known, ...own };
}

/** Open sets: the types have the values that this version knows. */
const withKnownValues = (schema: { type?: unknown; examples?: unknown }) =>
  schema.type === 'string' && schema.examples !== undefined ? { ...schema, enum: schema.examples } : schema;
const schemas = Object.entries(merged('schemas', operations.components.schemas)).map(([name, schema]) => [
  name,
  withKnownValues(schema as object),
]);

const { openapi, info } = orderQuery;
const document = {
  ...{ openapi, info, paths: { ...orderQuery.paths, ...operations.paths } },
  components: {
    parameters: merged('parameters', Object.fromEntries(parameters)),
    responses: merged('responses', operations.components.responses),
    schemas: Object.fromEntries(schemas),
    headers: orderQuery.components.headers,
  },
};
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, exportType: true };
const types = astToString(await openapiTS(document, options));
writeFileSync(new URL('src/openapi-types.ts', import.meta.url), types);
