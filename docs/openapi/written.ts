import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { openApiDocument } from './document.ts';

const banner = `/**
 * The answers of the order query. Made from docs/openapi/ by \`npm run openapi\`: a change here is lost.
 */`;

/** The text of `docs/openapi.json`. */
export const documentText = (): string => `${JSON.stringify(openApiDocument, null, 2)}\n`;

/** The text of `packages/order-client/src/openapi-types.ts`. */
export async function typesText(): Promise<string> {
  const { schemas } = openApiDocument.components;
  const everything = {
    description: 'Every body of an answer.',
    anyOf: [
      'Order',
      'OrderList',
      'OrderEvents',
      'Event',
      'Problem',
      'ParameterProblem',
      'GatewayMessage',
    ].map((name) => ({ $ref: `#/definitions/${name}` })),
    definitions: schemas,
  };
  const rewritten = JSON.stringify(everything).replaceAll('#/components/schemas/', '#/definitions/');
  return compile(JSON.parse(rewritten, forTypes) as JSONSchema, 'Answer', {
    bannerComment: banner,
    // What an answer may hold beyond its schema is nothing that a reader can build on.
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 110 },
  });
}

/** Descriptions become comments, which are lines of a source; and any JSON is `unknown`, not an object. */
function forTypes(key: string, value: unknown): unknown {
  if (key === 'payload') return { ...(value as object), tsType: 'unknown' };
  if (key !== 'description' || typeof value !== 'string') return value;
  return value.split('\n').flatMap(wrap).join('\n');
}

const wrap = (line: string): string[] => line.match(/.{1,98}(?= |$)/g)?.map((part) => part.trim()) ?? [];
