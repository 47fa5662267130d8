import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';
import { type Run, runPayhooks } from './payhooks-process.ts';

export interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** A local mode with this order query, which records the requested paths, and the command line. */
export async function startLocalMode(respond: (url: string) => Response, outputs: object = {}) {
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const stack = { stack: 'payhooks-local', outputs, endpoints: {}, region: 'us-east-1' };
    if (url !== '/stack') requested.push(url);
    const { status, body } = url === '/stack' ? { status: 200, body: stack } : respond(url);
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const payhooks = (argv: readonly string[], run?: Run) => runPayhooks([...argv, '--local', url], run);
  return { requested, payhooks, run: (...argv: string[]) => payhooks(argv), url };
}
