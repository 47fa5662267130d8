import type { GenericSchema, InferOutput } from 'valibot';
import { checkJson, parseJson } from '../json.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { OperationName } from './operations.ts';
import type { ServiceResponse } from './send.ts';

/** The body of a successful response. */
export function readResponse<Schema extends GenericSchema>(
  operation: OperationName,
  { body, status }: ServiceResponse,
  schema: Schema,
): InferOutput<Schema> {
  const source = sourceOf(operation, status);
  const json = parseJson(body);
  if (json === undefined) {
    const found = body.trim() === '' ? 'empty' : 'not JSON';
    throw new UnexpectedResponseError(source, { path: '$', expected: 'JSON', found });
  }
  const checked = checkJson(schema, json);
  if (checked.ok) return checked.value;
  throw new UnexpectedResponseError(source, checked.mismatch);
}

/** The status shows the reader that the operation was executed. */
export const sourceOf = (operation: OperationName, status: number): string =>
  `the response of ${operation} (${status})`;
