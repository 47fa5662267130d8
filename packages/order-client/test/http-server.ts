import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as received, nothing decoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: string;
}

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `cut` closes the connection without a response, `hang` sends nothing, `stall` stops within the body. */
  readonly fault?: 'cut' | 'hang' | 'stall';
}

export type Script = (
  request: ReceivedRequest,
  count: number,
) => ScriptedResponse | Promise<ScriptedResponse>;

/** A real HTTP server on loopback that responds by a script, until the test ends. */
export async function startHttpServer(script: Script) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message;
    const request = { method, url, headers, body: await text(message) };
    respond(response, await script(request, requests.push(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function respond(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', fault }: ScriptedResponse,
): void {
  if (fault === 'hang') return;
  if (fault === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (fault === 'stall') response.write('{"half":');
  else response.end(body);
}
