import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type ErrorResponse, type FaultKind, faultAt, type SeededFaults } from './fault-kinds.ts';
import { createFaultyServer, type Met, type MetFault } from './faulty-server.ts';

/** One kind of fault. */
export interface NamedFault {
  readonly kind: FaultKind;
  /** Which requests of an operation meet it, counted from 1 since the fault began; all by default. */
  readonly calls?: readonly number[];
}

/**
 * A fault of a service of AWS, for the requests of some operations: one error for all of them, one kind of
 * fault, or kinds that a seed chooses.
 */
export type ServiceFault = (ErrorResponse | NamedFault | SeededFaults) & {
  /** Such as `SendMessage`; without any, all operations of the service. */
  readonly operations?: readonly string[];
  /** How late a slow response is; one second by default. */
  readonly slowMilliseconds?: number;
  /** Receives each request that meets a kind of fault. */
  readonly onFault?: (met: MetFault) => void;
};

export type Faults = ReturnType<typeof createFaults>;

interface Begun {
  readonly fault: ServiceFault;
  /** The requests since it began, by operation. */
  readonly calls: Map<string, number>;
}

/** The faults of one service; each lasts until it is ended. */
export function createFaults() {
  const current = new Set<Begun>();
  return {
    /** Returns the function that ends it. */
    begin(fault: ServiceFault): () => void {
      const begun = { fault, calls: new Map() };
      current.add(begun);
      return function end() {
        current.delete(begun);
      };
    },
    /** Stands between the requests and the server, and responds to those that meet a fault. */
    interrupt(server: Server): void {
      const listeners = server.listeners('request');
      const faulty = createFaultyServer(server);
      server.removeAllListeners('request');
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        const met = faulty.isForwarded(request) ? undefined : meet(current, operation);
        if (met !== undefined) return faulty.respond(met, request, response);
        for (const listener of listeners) listener.call(server, request, response);
      });
    },
  };
}

/** The first of the current faults that applies to this request. Each of them counts it. */
function meet(current: ReadonlySet<Begun>, operation: string): Met | undefined {
  const [first] = [...current].flatMap((begun) => outcomeOf(begun, operation) ?? []);
  if (first === undefined) return undefined;
  const { fault, outcome } = first;
  if ('kind' in outcome) fault.onFault?.(outcome);
  return { outcome, slowMilliseconds: fault.slowMilliseconds ?? 1_000 };
}

function outcomeOf({ fault, calls }: Begun, operation: string) {
  if (fault.operations?.includes(operation) === false) return undefined;
  const call = (calls.get(operation) ?? 0) + 1;
  calls.set(operation, call);
  const kind = kindOf(fault, operation, call);
  if (kind !== undefined) return { fault, outcome: { operation, call, kind } };
  return 'status' in fault ? { fault, outcome: fault } : undefined;
}

function kindOf(fault: ServiceFault, operation: string, call: number): FaultKind | undefined {
  if ('status' in fault) return undefined;
  if ('seed' in fault) return faultAt(fault, operation, call);
  return fault.calls?.includes(call) === false ? undefined : fault.kind;
}
