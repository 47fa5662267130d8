import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, listen, loopback } from '../loopback.ts';
import { AwsError } from './aws-error.ts';
import { createFaults, type Faults } from './faults.ts';

export interface Emulator {
  readonly endpoint: string;
  /** Begins a fault, and returns the function that ends it. */
  readonly fail: Faults['begin'];
  close(): Promise<void>;
}

/** Each operation declares the parameters that it reads, which a method's type allows. */
export type Operation = { run(parameters: object): Promise<object> }['run'];

interface AwsService {
  /** The part of `x-amz-target` before the operation. */
  readonly target: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly requestBytesMax: number;
}

/** Serves operations over AWS JSON 1.1 on a free loopback port. */
export async function startAwsJson(service: AwsService): Promise<Emulator> {
  const server = createServer((request, response) => respond(service, request, response));
  const faults = createFaults();
  faults.interrupt(server);
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return { endpoint, fail: faults.begin, close: () => closeServer(server) };
}

/** Serves some operations of a server in place of it. */
export function addOperations(server: Server, service: AwsService): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const [target, name = ''] = String(request.headers['x-amz-target']).split('.');
    const isAdded = target === service.target && Object.hasOwn(service.operations, name);
    if (isAdded) void respond(service, request, response);
    else for (const listener of listeners) listener.call(server, request, response);
  });
}

async function respond(service: AwsService, request: IncomingMessage, response: ServerResponse) {
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  response.setHeader('x-amzn-requestid', randomUUID());
  try {
    response.end(JSON.stringify(await runOperation(service, request)));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const known =
      error instanceof AwsError ? error : new AwsError('InternalServiceError', text, { status: 500 });
    const { code, status, message, details } = known;
    response.writeHead(status, { 'x-amzn-errortype': code });
    response.end(JSON.stringify({ __type: code, Message: message, message, ...details }));
  }
}

async function runOperation(service: AwsService, request: IncomingMessage): Promise<object> {
  const [target, name = 'This request'] = String(request.headers['x-amz-target']).split('.');
  const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (target !== service.target || operation === undefined) {
    throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
  }
  return operation(await readParameters(request, service.requestBytesMax));
}

async function readParameters(request: IncomingMessage, bytesMax: number): Promise<object> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new AwsError('InvalidRequestException', 'The request is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  } catch (cause) {
    throw new AwsError('SerializationException', 'The request is not JSON.', { cause });
  }
}
