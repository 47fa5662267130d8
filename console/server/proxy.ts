import { outputOf, type Stack } from '../../operator/stack/stack.ts';
import { type Exchange, goneSignal } from './exchange.ts';
import { decode } from './path-pattern.ts';
import { ConsoleProblem } from './problem.ts';
import { type ProxiedRoute, routeAt } from './proxied-routes.ts';
import { type Content, respond } from './respond.ts';
import { createSender } from './upstream.ts';

/** Passes a request on to an API of the stack, signed with the operator's credentials. */
export function createProxy(stack: () => Promise<Stack>) {
  const send = createSender();
  return async function passOn({ response, path, query }: Exchange): Promise<void> {
    const route = routeAt(path);
    if (route === undefined) throw new ConsoleProblem(404, 'There is no such resource.');
    const owner = await stack();
    const upstream = { baseUrl: outputOf(owner, route.output), region: owner.region };
    const received = await send(upstream, {
      ...{ query: queryOf(query), signal: goneSignal(response) },
      path: path.slice(1).split('/').map(decode),
    });
    if (received.status === 403 && !received.type.startsWith('application/problem+json')) {
      throw new ConsoleProblem(403, refusalOf(owner, route, received));
    }
    // Nothing of its headers reaches the page.
    respond(response, received);
  };
}

/** The signature could not hold a name twice. */
function queryOf(query: URLSearchParams): Readonly<Record<string, string>> {
  const names = [...query.keys()];
  const isPlain = new Set(names).size === names.length && names.every((name) => /^\w+$/.test(name));
  if (isPlain) return Object.fromEntries(query);
  throw new ConsoleProblem(400, 'A query parameter has a plain name, and appears once.');
}

/** API Gateway names neither the permission nor whether the credentials have expired. */
function refusalOf(stack: Stack, { path, invokeOutput }: ProxiedRoute, { body }: Content): string {
  const [api] = outputOf(stack, invokeOutput).split('/');
  const resource = `${api}/*/GET${path.replace(/\{\w+\}/g, '*')}`;
  const reason = /"message":"([^"]{1,200})"/i.exec(body.toString())?.[1] ?? 'Forbidden';
  return `Your AWS credentials lack execute-api:Invoke on ${resource}, or have expired (${reason}).`;
}
