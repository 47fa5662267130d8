import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as openRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorResponse, type FaultKind, refusalOf } from './fault-kinds.ts';
import { partialBatch } from './partial-batch.ts';

/** A request that met a kind of fault. */
export interface MetFault {
  readonly operation: string;
  /** Its number among the requests of its operation since the fault began. */
  readonly call: number;
  readonly kind: FaultKind;
}

export interface Met {
  readonly outcome: MetFault | ErrorResponse;
  readonly slowMilliseconds: number;
}

/** A response of the server behind the faults. */
interface Carried {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A request whose body is read, and the means to carry it out. */
interface Exchange {
  readonly met: Met & { readonly outcome: MetFault };
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly carryOut: (body?: Buffer) => Promise<Carried>;
}

/**
 * Responds to requests that meet a fault. A request that is carried out all the same goes to the server
 * itself, over loopback with a mark, so that the faults do not depend on how the server works.
 */
export function createFaultyServer(server: Server) {
  const header = 'x-fault-layer';
  const mark = randomUUID();

  async function carryOut(request: IncomingMessage, body: Buffer): Promise<Carried> {
    const { address: host, port } = server.address() as AddressInfo;
    const { method, url: path } = request;
    const headers = { ...request.headers, [header]: mark, 'content-length': body.byteLength };
    const forwarded = openRequest({ host, port, method, path, headers, agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      forwarded.once('response', resolve).once('error', reject);
      forwarded.end(body);
    });
    return { status: response.statusCode ?? 500, headers: response.headers, body: await buffer(response) };
  }

  async function respond({ outcome, ...met }: Met, request: IncomingMessage, response: ServerResponse) {
    if ('status' in outcome) return refuse(response, outcome);
    const refusal = refusalOf(outcome.kind, String(request.headers['x-amz-target']).split('.')[0] ?? '');
    if (refusal !== undefined) return refuse(response, refusal);
    if (outcome.kind === 'reset-before') return reset(response);
    const body = await buffer(request);
    const carry = (part: Buffer = body) => carryOut(request, part);
    await carryOutWithFault({ met: { outcome, ...met }, body, response, carryOut: carry });
  }

  return {
    isForwarded: (request: IncomingMessage): boolean => request.headers[header] === mark,
    /** A caller or a server that goes away meanwhile ends the exchange. */
    respond(met: Met, request: IncomingMessage, response: ServerResponse): void {
      respond(met, request, response).catch(() => reset(response));
    },
  };
}

async function carryOutWithFault(exchange: Exchange): Promise<void> {
  const { met, response, carryOut } = exchange;
  if (met.outcome.kind === 'partial') return send(response, await carryOutPart(exchange));
  const first = await carryOut();
  switch (met.outcome.kind) {
    case 'reset-after':
      return reset(response);
    case 'slow':
      await sleep(met.slowMilliseconds, undefined, { ref: false });
      return send(response, first);
    case 'malformed':
      return send(response, { ...first, body: brokenOff(first.body) });
    case 'repeated':
      return send(response, await carryOut());
    default:
      // A timeout: the connection stays open until one of the two closes it.
      return;
  }
}

/** A request that is no batch passes. */
async function carryOutPart({ met, body, carryOut }: Exchange): Promise<Carried> {
  const part = partialBatch(met.outcome.operation, JSON.parse(body.toString()));
  if (part === undefined) return carryOut();
  const carried =
    part.request === undefined
      ? { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.from('{}') }
      : await carryOut(Buffer.from(JSON.stringify(part.request)));
  if (carried.status !== 200) return carried;
  const completed = part.complete(JSON.parse(carried.body.toString()));
  return { ...carried, body: Buffer.from(JSON.stringify(completed)) };
}

/** The first half of a JSON object. */
const brokenOff = (body: Buffer): Buffer =>
  body.byteLength < 2 ? Buffer.from('{') : body.subarray(0, body.byteLength / 2);

function send(response: ServerResponse, { status, headers, body }: Carried): void {
  const { 'transfer-encoding': _, 'x-amz-crc32': __, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': body.byteLength });
  response.end(body);
}

function reset(response: ServerResponse): void {
  response.req.socket.resetAndDestroy();
}

function refuse(response: ServerResponse, { status, code }: ErrorResponse): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, message: 'A fault of this service is simulated.' }));
}
