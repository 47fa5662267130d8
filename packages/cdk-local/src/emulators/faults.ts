import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { closeServer, listen, loopback } from '../loopback.ts';

/** A service of AWS that refuses requests. */
export interface ServiceFault {
  readonly status: number;
  /** The SDK makes its exception from it, such as `InternalServerError`. */
  readonly code: string;
  /** Such as `SendMessage`; without any, all operations of the service. */
  readonly operations?: readonly string[];
}

export interface Emulator {
  readonly endpoint: string;
  /** Begins a fault, which lasts until the returned function ends it. */
  fail(fault: ServiceFault): () => void;
  close(): Promise<void>;
}

/** Serves an emulator on a free loopback port, with its faults in front of it. */
export async function serve(server: Server): Promise<Emulator> {
  const fail = interrupt(server);
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return { endpoint, fail, close: () => closeServer(server) };
}

/** Stands between the requests and the server, and responds to those that meet a fault. */
export function interrupt(server: Server): Emulator['fail'] {
  const faults = new Set<ServiceFault>();
  handleFirst(server, (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const met = [...faults].find(({ operations }) => operations?.includes(operation) !== false);
    if (met !== undefined) refuse(response, met);
    return met !== undefined;
  });
  return function fail(fault) {
    const begun = { ...fault };
    faults.add(begun);
    return function end() {
      faults.delete(begun);
    };
  };
}

/** Passes on to the server what the handler does not take. */
export function handleFirst(
  server: Server,
  takes: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (takes(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}

function refuse(response: ServerResponse, { status, code }: ServiceFault): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, message: 'A fault of this service is simulated.' }));
}
