import type { Invocation } from '../functions/invocation.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** What an HTTP API itself answers, with a body as it writes it. */
export function gatewayAnswer(status: number, message: string): HttpAnswer {
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { 'content-type': 'application/json' }, cookies: [], body };
}

export const internalServerError = gatewayAnswer(500, 'Internal Server Error');

/**
 * The answer that an HTTP API (payload format 2.0) makes of what a function returned: a structured response
 * when it names a status code, else the value itself as JSON with 200. A failed invocation and a malformed
 * response are 500.
 */
export function readFunctionAnswer(invocation: Invocation): HttpAnswer {
  if (!invocation.ok) return internalServerError;
  const returned: unknown = JSON.parse(invocation.payload);
  if (isObject(returned) && 'statusCode' in returned) return readStructured(returned) ?? internalServerError;
  const body = Buffer.from(typeof returned === 'string' ? returned : invocation.payload);
  return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
}

function readStructured(returned: Readonly<Record<string, unknown>>): HttpAnswer | undefined {
  const { statusCode, body = '', isBase64Encoded = false, cookies = [] } = returned;
  const given = returned['headers'] ?? {};
  if (!Number.isInteger(statusCode) || Number(statusCode) < 100 || Number(statusCode) > 599) return undefined;
  if (typeof body !== 'string' && body !== null) return undefined;
  if (!isObject(given) || typeof isBase64Encoded !== 'boolean' || !isTexts(cookies)) return undefined;
  const headers: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    headers[name.toLowerCase()] = String(value);
  }
  return {
    status: Number(statusCode),
    headers,
    cookies,
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
