import * as v from 'valibot';
import type { Invocation } from '../functions/invocation.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const json = (status: number, body: string): HttpResponse => ({
  ...{ status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) },
});

/** A response of the HTTP API itself. */
export const gatewayResponse = (status: number, message: string): HttpResponse =>
  json(status, JSON.stringify({ message }));

export const internalServerError = gatewayResponse(500, 'Internal Server Error');

export const healthy = json(200, '{"status":"ok"}');

const structuredResponse = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * The response that an HTTP API (payload format 2.0) makes of an invocation: the structured response that the
 * function returned, or else the value itself as JSON with 200. A failed invocation and a malformed response
 * are 500.
 */
export function functionResponse(invocation: Invocation): HttpResponse {
  if (!invocation.ok) return internalServerError;
  const returned: unknown = JSON.parse(invocation.payload);
  if (typeof returned !== 'object' || returned === null || !('statusCode' in returned)) {
    return json(200, typeof returned === 'string' ? returned : invocation.payload);
  }
  const parsed = v.safeParse(structuredResponse, returned);
  if (!parsed.success) return internalServerError;
  const { statusCode, headers, body, isBase64Encoded } = parsed.output;
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...Object.fromEntries(entries) },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}
