// Writes src/openapi-types.ts, which is not committed: the paths and schemas of both OpenAPI documents.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const read = (document: string) =>
  parse(readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8'));

const orderQuery = read('openapi.yaml');
// Both documents have a parameter `limit`, for example, and they differ.
const operations = JSON.parse(
  JSON.stringify(read('operations.openapi.yaml'))
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

const { openapi, info } = orderQuery;
const document = {
  ...{ openapi, info, paths: { ...orderQuery.paths, ...operations.paths } },
  components: {
    parameters: merged('parameters', Object.fromEntries(parameters)),
    responses: merged('responses', operations.components.responses),
    schemas: merged('schemas', operations.components.schemas),
  },
};
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, exportType: true };
const types = astToString(await openapiTS(document, options));
writeFileSync(new URL('src/openapi-types.ts', import.meta.url), types);
