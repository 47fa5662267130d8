import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const read = (document: string) =>
  parse(readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8'));

/** The text of src/openapi-types.ts: the bodies of both APIs. The client's own code has the routes. */
export async function openapiTypes(): Promise<string> {
  const { openapi, info, components } = read('openapi.yaml');
  const operations = read('operations.openapi.yaml').components.schemas;
  const twice = Object.keys(operations).filter((name) => Object.hasOwn(components.schemas, name));
  if (twice.length > 0) throw new Error(`Both documents have the schemas ${twice.join(', ')}; rename them.`);
  const own = JSON.parse(JSON.stringify(operations).replaceAll('"openapi.yaml#/', '"#/'));
  const schemas = {
    ...{ openapi, info, paths: {} },
    components: { schemas: { ...components.schemas, ...own } },
  };
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, exportType: true };
  const ast = await openapiTS(schemas, options);
  const note = '// Written by `npm run openapi` from docs/*openapi.yaml; edit those files instead.';
  return `${note}\n\n${astToString(ast)}`;
}

if (import.meta.main) {
  writeFileSync(new URL('src/openapi-types.ts', import.meta.url), await openapiTypes());
}
