import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { selfSigned } from '../../test/doubles/self-signed.ts';

/** The emulators' addresses by the service name that a signature holds. */
export type Services = Readonly<Record<'dynamodb' | 'sqs' | 'secretsmanager', string>>;

export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the cost of a call depends on. */
interface Parameters {
  readonly Item?: Item;
  readonly TransactItems?: readonly { readonly Put?: { readonly Item: Item }; readonly Update?: object }[];
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/**
 * An HTTPS front for the emulators, because AWS is called over TLS, whose first connection costs CPU time. It
 * adds the transaction that the baseline writes and the emulator lacks.
 */
export async function startFront(services: Services) {
  const { certificate: cert, key } = selfSigned();
  const calls: { readonly operation: string; readonly parameters: Parameters }[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const [, service = ''] = /\/(\w+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? [];
    const [version = '', operation = ''] = String(request.headers['x-amz-target']).split('.');
    const url = services[service as keyof Services];
    const body = await text(request);
    calls.push({ operation, parameters: JSON.parse(body) });
    const send = (name: string, parameters: string) =>
      post(url, { headers: request.headers, target: `${version}.${name}`, body: parameters });
    const reply =
      operation === 'TransactWriteItems' ? await transact(body, send) : await send(operation, body);
    response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The front has no port.');
  return {
    url: `https://localhost:${address.port}`,
    /** What was called so far, in order. */
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function post(
  url: string,
  { headers, target, body }: { headers: IncomingMessage['headers']; target: string; body: string },
): Promise<Reply> {
  const names = ['authorization', 'content-type', 'x-amz-date'];
  const kept = names.map((name): [string, string] => [name, String(headers[name])]);
  const response = await fetch(url, { method: 'POST', headers: [...kept, ['x-amz-target', target]], body });
  return { status: response.status, body: await response.text() };
}

/** One write after the other, and none after a failed condition: enough for one writer at a time. */
async function transact(body: string, send: (name: string, body: string) => Promise<Reply>): Promise<Reply> {
  const { TransactItems } = JSON.parse(body) as { TransactItems: Readonly<Record<string, object>>[] };
  const writes = TransactItems.flatMap((item) => Object.entries(item));
  for (const [index, [kind, parameters]] of writes.entries()) {
    const reply = await send(`${kind}Item`, JSON.stringify(parameters));
    if (reply.status === 200) continue;
    const reasons = writes.map((_, other) => ({ Code: other === index ? 'ConditionalCheckFailed' : 'None' }));
    const type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
    return { status: 400, body: JSON.stringify({ __type: type, CancellationReasons: reasons }) };
  }
  return { status: 200, body: '{}' };
}
