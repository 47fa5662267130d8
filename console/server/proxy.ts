import { CredentialsError, createSignedFetch } from '@payhooks/order-client';
import { explainAwsError } from '../../operator/aws/errors.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleRoute } from './context.ts';
import { ConsoleProblem } from './problem.ts';

/** The function behind the API may take 25 s, and API Gateway waits for 30. */
const requestMillisecondsMax = 35_000;
/** API Gateway's own bound. */
const responseBytesMax = 10 * 1024 * 1024;

/** What the page reads from each API of a stack. No other path is passed on. */
const paths = {
  OrderQuery: ['/orders', '/orders/{id}', '/orders/{id}/events', '/events/{id}', '/transactions/{id}'],
  Operations: [
    ...['/operations/waiting', '/operations/waiting/counts', '/operations/approvals'],
    ...['/operations/events', '/operations/events/{id}'],
    ...['/operations/bodies/events/{id}', '/operations/bodies/{id}'],
  ],
} as const;
type Api = keyof typeof paths;

/** Whether the path is one of the APIs', known or not. */
export const isProxied = (path: string): boolean =>
  /^\/(orders|events|transactions|operations)(\/|$)/.test(path);

/**
 * Passes requests on to the APIs of the stack, signed with the operator's credentials. These are looked up
 * again after a refusal: an operator renews them while the console runs.
 */
export function proxyRoutes({ stack }: Pick<ConsoleContext, 'stack'>): readonly ConsoleRoute[] {
  const senders = new Map<string, ReturnType<typeof createSignedFetch>>();
  async function passOn(api: Api, path: string, given: ConsoleRequest): Promise<Response> {
    const owner = await stack();
    const baseUrl = outputOf(owner, `${api}Url`);
    const request = requestTo(baseUrl, path, given);
    const sender = senders.get(baseUrl) ?? createSignedFetch({ baseUrl, region: owner.region });
    senders.set(baseUrl, sender);
    const timeout = AbortSignal.timeout(requestMillisecondsMax);
    const received = await sender(request, { signal: AbortSignal.any([timeout, given.signal]) })
      .then(readResponse)
      .catch((error: unknown) => {
        senders.delete(baseUrl);
        throw explain(error, new URL(baseUrl).host, timeout);
      });
    const { status, type, body } = received;
    if (status === 403) senders.delete(baseUrl);
    if (status === 403 && !type.startsWith('application/problem+json')) {
      const [resource] = outputOf(owner, `${api}InvokeArn`).split('/');
      throw new ConsoleProblem(403, refusalOf(`${resource}/*/GET${path.replace(/\{\w+\}/g, '*')}`, body));
    }
    return new Response(body, { status, headers: { 'content-type': type } });
  }
  return (Object.keys(paths) as Api[]).flatMap((api) =>
    paths[api].map((path): ConsoleRoute => {
      return { method: 'GET', path, handle: (request) => passOn(api, path, request) };
    }),
  );
}

function requestTo(baseUrl: string, path: string, { parameters, query }: ConsoleRequest): Request {
  // URLs take them as steps in the path, even percent-encoded: another route would get the request.
  if (Object.values(parameters).some((id) => id === '.' || id === '..')) {
    throw new ConsoleProblem(404, 'A URL cannot contain such an id.');
  }
  const names = [...query.keys()];
  // The signature could not hold a name twice.
  if (new Set(names).size !== names.length || !names.every((name) => /^\w+$/.test(name))) {
    throw new ConsoleProblem(400, 'A query parameter has a plain name, and appears once.');
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const url = new URL(`${baseUrl.replace(/\/$/, '')}${filled}`);
  url.search = query.toString().replaceAll('+', '%20');
  const headers = { accept: 'application/json, application/problem+json' };
  return new Request(url, { headers, redirect: 'manual' });
}

function explain(error: unknown, host: string, timeout: AbortSignal): unknown {
  if (error instanceof ConsoleProblem) return error;
  if (error instanceof CredentialsError) return explainAwsError(error.cause) ?? error;
  const options = { cause: error };
  const seconds = requestMillisecondsMax / 1_000;
  return timeout.aborted
    ? new ConsoleProblem(504, `${host} did not respond within ${seconds} s.`, options)
    : new ConsoleProblem(503, `${host} could not be reached (${reasonOf(error)}).`, options);
}

async function readResponse(response: Response) {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(problem\+)?json(;|$)/.test(type)) {
    await response.body?.cancel();
    const host = new URL(response.url).host;
    throw new ConsoleProblem(502, `${host} responded ${status} without JSON; is it the API of the stack?`);
  }
  return { status, type, body: await readBody(response) };
}

async function readBody({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > responseBytesMax) throw new ConsoleProblem(502, 'The response has more than 10 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** API Gateway names neither the permission nor whether the credentials have expired. */
function refusalOf(resource: string, body: Buffer): string {
  const reason = /"message":"([^"]{1,200})"/i.exec(body.toString())?.[1] ?? 'Forbidden';
  return `Your AWS credentials lack execute-api:Invoke on ${resource}, or have expired (${reason}).`;
}
