// Both OpenAPI documents of docs/, and each with what it takes from the other one.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string) => parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));

export const openApiDocuments = {
  'openapi.yaml': read('openapi.yaml'),
  'operations.openapi.yaml': read('operations.openapi.yaml'),
};

/** A document that refers to itself only: generators of clients take one file. */
export function selfContained(file: keyof typeof openApiDocuments) {
  const document = structuredClone(openApiDocuments[file]);
  const source = openApiDocuments['openapi.yaml'].components;
  const taken = new Set<string>();
  function take(text: string, references: RegExp): void {
    for (const [, section = '', name = ''] of text.matchAll(references)) {
      const path = `${section}/${name}`;
      if (taken.has(path)) continue;
      taken.add(path);
      document.components[section] ??= {};
      if (Object.hasOwn(document.components[section], name)) {
        throw new Error(`Both documents have the component ${path}; rename one of them.`);
      }
      document.components[section][name] = source[section][name];
      take(JSON.stringify(source[section][name]), /"#\/components\/(\w+)\/(\w+)"/g);
    }
  }
  take(JSON.stringify(document), /"openapi\.yaml#\/components\/(\w+)\/(\w+)"/g);
  return JSON.parse(JSON.stringify(document).replaceAll('"openapi.yaml#/', '"#/'));
}
