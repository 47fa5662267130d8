import { CredentialsError, createSignedFetch } from '@payhooks/order-client';
import { explainAwsError } from '../../operator/aws/errors.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';
import { type Exchange, goneSignal } from './exchange.ts';
import { decode } from './path-pattern.ts';
import { ConsoleProblem } from './problem.ts';
import { type ProxiedRoute, routeAt } from './proxied-routes.ts';
import { type Content, respond } from './respond.ts';

/** The function behind the API may take 25 s, and API Gateway waits for 30. */
const requestMillisecondsMax = 35_000;
/** API Gateway's own bound. */
const responseBytesMax = 10 * 1024 * 1024;

/**
 * Passes a request on to an API of the stack, signed with the operator's credentials. These are looked up
 * again after a refusal: an operator renews them while the console runs.
 */
export function createProxy(stack: () => Promise<Stack>) {
  const senders = new Map<string, ReturnType<typeof createSignedFetch>>();
  return async function passOn(exchange: Exchange): Promise<void> {
    const { response, path } = exchange;
    const route = routeAt(path);
    if (route === undefined) throw new ConsoleProblem(404, 'There is no such resource.');
    const owner = await stack();
    const baseUrl = outputOf(owner, route.output);
    const request = requestTo(baseUrl, exchange);
    const sender = senders.get(baseUrl) ?? createSignedFetch({ baseUrl, region: owner.region });
    senders.set(baseUrl, sender);
    const timeout = AbortSignal.timeout(requestMillisecondsMax);
    const signal = AbortSignal.any([timeout, goneSignal(response)]);
    const received = await sender(request, { signal })
      .then(readResponse)
      .catch((error: unknown) => {
        senders.delete(baseUrl);
        throw explain(error, new URL(baseUrl).host, timeout);
      });
    if (received.status === 403) senders.delete(baseUrl);
    if (received.status === 403 && !received.type.startsWith('application/problem+json')) {
      throw new ConsoleProblem(403, refusalOf(owner, route, received));
    }
    // Nothing of its headers reaches the page.
    respond(response, received);
  };
}

function requestTo(baseUrl: string, { path, query }: Exchange): Request {
  const segments = path.slice(1).split('/').map(decode);
  // URLs take them as steps in the path, even percent-encoded: another route would get the request.
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new ConsoleProblem(404, 'A URL cannot contain such an id.');
  }
  const names = [...query.keys()];
  // The signature could not hold a name twice.
  if (new Set(names).size !== names.length || !names.every((name) => /^\w+$/.test(name))) {
    throw new ConsoleProblem(400, 'A query parameter has a plain name, and appears once.');
  }
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/${segments.map(encodeURIComponent).join('/')}`);
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

async function readResponse(response: Response): Promise<Content> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(problem\+)?json(;|$)/.test(type)) {
    await response.body?.cancel();
    const host = new URL(response.url).host;
    throw new ConsoleProblem(502, `${host} responded ${status} without JSON; is it the API of the stack?`);
  }
  return { status, type, body: await readBody(response) };
}

async function readBody({ body }: Response): Promise<Buffer> {
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
function refusalOf(stack: Stack, { path, invokeOutput }: ProxiedRoute, { body }: Content): string {
  const [api] = outputOf(stack, invokeOutput).split('/');
  const resource = `${api}/*/GET${path.replace(/\{\w+\}/g, '*')}`;
  const reason = /"message":"([^"]{1,200})"/i.exec(body.toString())?.[1] ?? 'Forbidden';
  return `Your AWS credentials lack execute-api:Invoke on ${resource}, or have expired (${reason}).`;
}
