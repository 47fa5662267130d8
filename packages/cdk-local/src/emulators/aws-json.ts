import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AwsError } from './aws-error.ts';
import { type Emulator, handleFirst, serve } from './faults.ts';

/** Each operation declares the parameters that it reads, which a method's type allows. */
export type Operation = { run(parameters: object): Promise<object> }['run'];

interface AwsService {
  /** The part of `x-amz-target` before the operation. */
  readonly target: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

/** DynamoDB's own limit, and more than any other service takes. */
const requestBytesMax = 16 * 1024 * 1024;

/** Serves operations over AWS JSON 1.1. */
export const startAwsJson = (service: AwsService): Promise<Emulator> =>
  serve(createServer((request, response) => respond(response, () => runOperation(service, request))));

/** Serves some operations of a server in place of it. */
export function addOperations(server: Server, service: AwsService): void {
  handleFirst(server, (request, response) => {
    const [target, name = ''] = String(request.headers['x-amz-target']).split('.');
    const isAdded = target === service.target && Object.hasOwn(service.operations, name);
    if (isAdded) void respond(response, () => runOperation(service, request));
    return isAdded;
  });
}

/** Responds with a result, or with an error, as JSON. */
export async function respond(response: ServerResponse, run: () => Promise<object>): Promise<void> {
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  response.setHeader('x-amzn-requestid', randomUUID());
  try {
    response.end(JSON.stringify(await run()));
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
  return operation(await readJson(request));
}

export async function readJson(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > requestBytesMax) throw new AwsError('InvalidRequestException', 'The request is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  } catch (cause) {
    throw new AwsError('SerializationException', 'The request is not JSON.', { cause });
  }
}
