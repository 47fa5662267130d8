import type { Invocation } from '../functions/invocation.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

const json = (status: number, body: string): HttpResponse => ({
  ...{ status, headers: { 'content-type': 'application/json' }, cookies: [], body: Buffer.from(body) },
});

/** A response of the HTTP API itself. */
export const gatewayResponse = (status: number, message: string): HttpResponse =>
  json(status, JSON.stringify({ message }));

export const internalServerError = gatewayResponse(500, 'Internal Server Error');

export const healthy = json(200, '{"status":"ok"}');

/**
 * The response that an HTTP API (payload format 2.0) makes of an invocation: the structured response that the
 * function returned, or else the value itself as JSON with 200. A failed invocation and a malformed response
 * are 500.
 */
export function functionResponse(invocation: Invocation): HttpResponse {
  if (!invocation.ok) return internalServerError;
  const returned: unknown = JSON.parse(invocation.payload);
  if (isObject(returned) && 'statusCode' in returned)
    return structuredResponse(returned) ?? internalServerError;
  return json(200, typeof returned === 'string' ? returned : invocation.payload);
}

function structuredResponse(returned: Readonly<Record<string, unknown>>): HttpResponse | undefined {
  const { statusCode, body, isBase64Encoded = false, cookies = [] } = returned;
  const given = returned['headers'] ?? {};
  if (!Number.isInteger(statusCode) || Number(statusCode) < 100 || Number(statusCode) > 599) return undefined;
  if (typeof (body ?? '') !== 'string' || typeof isBase64Encoded !== 'boolean') return undefined;
  if (!isObject(given) || !isTexts(cookies)) return undefined;
  const headers: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    headers[name.toLowerCase()] = String(value);
  }
  const bytes = Buffer.from(String(body ?? ''), isBase64Encoded ? 'base64' : 'utf8');
  return { status: Number(statusCode), headers, cookies, body: bytes };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
