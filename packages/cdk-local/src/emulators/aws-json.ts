import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listen, loopback } from '../loopback.ts';
import type { Emulator } from './dynamodb.ts';
import { createFaults } from './faults.ts';

/** The SDK makes its exception from `code`. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Each operation declares the parameters that it reads, which a method's type allows. */
type Operation = { run(parameters: object): Promise<object> }['run'];

interface AwsService {
  /** The part of `x-amz-target` before the operation. */
  readonly target: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly requestBytesMax: number;
}

/** Serves operations over AWS JSON 1.1 on a free loopback port. */
export async function startAwsJson(service: AwsService): Promise<Emulator> {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.setHeader('x-amzn-requestid', randomUUID());
    try {
      response.end(JSON.stringify(await runOperation(service, request)));
    } catch (error) {
      const code = error instanceof AwsError ? error.code : 'InternalServiceError';
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(error instanceof AwsError ? 400 : 500, { 'x-amzn-errortype': code });
      response.end(JSON.stringify({ __type: code, Message: message, message }));
    }
  });
  const faults = createFaults();
  faults.interrupt(server);
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return { endpoint, fail: faults.begin, close: () => closeServer(server) };
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
