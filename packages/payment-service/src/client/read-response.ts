import type { GenericSchema, InferOutput } from 'valibot';
import { checkJson } from '../json.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { OperationName } from './operations.ts';
import type { ServiceResponse } from './transport.ts';

/** The body of a successful response. The status shows the reader that the operation was executed. */
export function readResponse<Schema extends GenericSchema>(
  operation: OperationName,
  { body, status }: ServiceResponse,
  schema: Schema,
): InferOutput<Schema> {
  return readJson(schema, jsonOf(body, sourceOf(operation, status)), sourceOf(operation, status));
}

export function readJson<Schema extends GenericSchema>(
  schema: Schema,
  json: unknown,
  source: string,
): InferOutput<Schema> {
  const checked = checkJson(schema, json);
  if (checked.ok) return checked.value;
  throw new UnexpectedResponseError(source, checked.mismatch);
}

/** The parser's own error is left out: it quotes the text, which may be a token. */
function jsonOf(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const found = text.trim() === '' ? 'empty' : 'not JSON';
    throw new UnexpectedResponseError(source, { path: '$', expected: 'JSON', found });
  }
}

export const sourceOf = (operation: OperationName, status: number): string =>
  `the response of ${operation} (${status})`;
