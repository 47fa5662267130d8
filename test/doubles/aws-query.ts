import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { vi } from 'vitest';

/** An error that AWS returns. */
export class AwsError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The fields of a response; a list holds objects, and an undefined field is left out. */
export type Fields = Readonly<Record<string, unknown>>;
/** Handles an operation, or throws an `AwsError`; lists in the parameters are `Names.member.1` and so on. */
export type Operation = (parameters: Readonly<Record<string, string>>) => Fields;

/** AWS on loopback, in the protocols of its query APIs and JSON, and Lambda's Invoke, until the test ends. */
export async function startAwsQuery(operations: Readonly<Record<string, Operation>>): Promise<string> {
  const { baseUrl } = await startService(({ url, headers, body }) => {
    const target = headers['x-amz-target'];
    const isJson = typeof target === 'string';
    const rest = isJson ? undefined : restOf(url);
    const parameters: Readonly<Record<string, string>> =
      isJson || rest?.action === 'Invoke'
        ? flat(JSON.parse(body))
        : (rest ?? Object.fromEntries(new URLSearchParams(body)));
    const action = isJson ? (target.split('.').at(-1) ?? '') : (rest?.action ?? parameters['Action'] ?? '');
    const scripted = isJson || rest ? jsonOf : envelopeOf;
    try {
      const operation = operations[action];
      if (operation === undefined) throw new AwsError('InvalidAction', `No ${action}`);
      return scripted(action, operation(parameters));
    } catch (error) {
      return scripted(action, error as AwsError);
    }
  });
  return baseUrl;
}

/** The same, which the clients of the test find by the variables that it sets and returns. */
export async function stubAws(operations: Readonly<Record<string, Operation>>) {
  const env = {
    AWS_ENDPOINT_URL: await startAwsQuery(operations),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return env;
}

/** The operation of a REST API, and what its path names. */
function restOf(path: string): { readonly action: string; readonly name: string } | undefined {
  const operations: readonly (readonly [string, RegExp])[] = [
    ['Invoke', /^\/2015-03-31\/functions\/([^/]+)\/invocations/],
    ['GetFunctionConfiguration', /^\/2015-03-31\/functions\/([^/]+)\/configuration/],
    ['GetEventSourceMapping', /^\/2015-03-31\/event-source-mappings\/([^/]+)/],
    ['GetPolicy', /^\/2015-03-31\/functions\/([^/]+)\/policy/],
    ['GetStage', /^\/v2\/apis\/([^/]+)\/stages\//],
    ['GetAccountSettings', /^\/2016-08-19\/(account-settings)/],
    ['GetRoutes', /^\/v2\/apis\/([^/]+)\/routes/],
  ];
  for (const [action, pattern] of operations) {
    const [, name] = pattern.exec(path) ?? [];
    if (name !== undefined) return { action, name: decodeURIComponent(name) };
  }
  return undefined;
}

function jsonOf(_: string, result: Fields | AwsError): Scripted {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  if (!(result instanceof AwsError)) return { headers, json: result };
  return { headers, status: 400, json: { __type: result.code, message: result.message } };
}

function envelopeOf(action: string, result: Fields | AwsError): Scripted {
  const headers = { 'content-type': 'text/xml' };
  if (!(result instanceof AwsError)) {
    const xml = `<${action}Result>${xmlOf(result)}</${action}Result>`;
    return { headers, text: `<${action}Response>${xml}</${action}Response>` };
  }
  const error = xmlOf({ Code: result.code, Message: result.message });
  return { headers, status: 400, text: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function xmlOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `<member>${xmlOf(one)}</member>`).join('');
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return present.map(([name, item]) => `<${name}>${xmlOf(item)}</${name}>`).join('');
}

/** An object in a list is JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

function flat(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one, index) => [`${name}.member.${index + 1}`, textOf(one)])
      : [[name, String(value)]],
  );
  return Object.fromEntries(entries);
}
