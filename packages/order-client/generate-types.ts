import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const document = new URL('../../docs/openapi.yaml', import.meta.url);

/** The text of src/openapi-types.ts: the bodies of the responses. The client's own code has the routes. */
export async function openapiTypes(): Promise<string> {
  const { openapi, info, components } = parse(readFileSync(document, 'utf8'));
  const schemas = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, exportType: true };
  const ast = await openapiTS(schemas, options);
  const note = '// Written by `npm run openapi` from docs/openapi.yaml; edit that file instead.';
  return `${note}\n\n${astToString(ast)}`;
}

if (import.meta.main) {
  writeFileSync(new URL('src/openapi-types.ts', import.meta.url), await openapiTypes());
}
