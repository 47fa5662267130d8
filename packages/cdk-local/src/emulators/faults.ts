import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A service of AWS that refuses requests. */
export interface ServiceFault {
  readonly status: number;
  /** The SDK makes its exception from it, such as `InternalServerError`. */
  readonly code: string;
  /** Such as `SendMessage`; without any, all operations of the service. */
  readonly operations?: readonly string[];
}

export type Faults = ReturnType<typeof createFaults>;

/** The faults of one service; each lasts until it is ended. */
export function createFaults() {
  const current = new Set<ServiceFault>();
  return {
    /** Returns the function that ends it. */
    begin(fault: ServiceFault): () => void {
      const begun = { ...fault };
      current.add(begun);
      return function end() {
        current.delete(begun);
      };
    },
    /** Stands between the requests and the server, and responds to those that meet a fault. */
    interrupt(server: Server): void {
      const listeners = server.listeners('request');
      server.removeAllListeners('request');
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        const met = [...current].find(({ operations }) => operations?.includes(operation) !== false);
        if (met !== undefined) return refuse(response, met);
        for (const listener of listeners) listener.call(server, request, response);
      });
    },
  };
}

function refuse(response: ServerResponse, { status, code }: ServiceFault): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, message: 'A fault of this service is simulated.' }));
}
