import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A fault of a service of AWS: every request for one of the operations gets this error. */
export interface ServiceFault {
  /** Such as `SendMessage`; without any, all operations of the service. */
  readonly operations?: readonly string[];
  readonly status: number;
  /** The SDK makes its exception from it, such as `InternalServerError`. */
  readonly code: string;
}

export type Faults = ReturnType<typeof createFaults>;

/** The faults of one service; each lasts until it is ended. */
export function createFaults() {
  const current = new Set<ServiceFault>();
  return {
    /** Returns the function that ends it. */
    begin(fault: ServiceFault): () => void {
      current.add(fault);
      return function end() {
        current.delete(fault);
      };
    },
    /** Responds to the requests of a fault in place of the server. */
    interrupt(server: Server): void {
      const listeners = server.listeners('request');
      server.removeAllListeners('request');
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        const fault = [...current].find(({ operations = [operation] }) => operations.includes(operation));
        if (fault !== undefined) return respond(response, fault);
        for (const listener of listeners) listener.call(server, request, response);
      });
    },
  };
}

function respond(response: ServerResponse, { status, code }: ServiceFault): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, message: 'A fault of this service is simulated.' }));
}
