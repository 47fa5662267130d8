import type { GenericSchema, InferOutput } from 'valibot';
import { forbiddenMessage, statuses } from '../../assumptions.ts';
import { checkJson } from '../../json.ts';

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON; left out, the response has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request breaks a rule; the server responds with `response`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly response: ApiResponse;

  constructor(response: ApiResponse) {
    super(`The response is a ${response.status}.`);
    this.response = response;
  }
}

export const refusal = (status: number, message: string): Refusal =>
  new Refusal({ status, body: { message } });

/** Section 7. */
export const unauthenticated = (): Refusal => refusal(401, 'Unauthenticated');
export const forbidden = (): Refusal => refusal(403, forbiddenMessage);

/** Names the field or parameter that breaks a rule, for the author of a client. */
export function invalid(field: string, rule: string): Refusal {
  const body = { message: `${field}: ${rule}`, errors: { [field]: [rule] } };
  return new Refusal({ status: statuses.invalid, body });
}

export function readFields<Schema extends GenericSchema>(schema: Schema, json: unknown): InferOutput<Schema> {
  const checked = checkJson(schema, json);
  if (checked.ok) return checked.value;
  throw invalid(checked.mismatch.field, checked.mismatch.expected);
}
