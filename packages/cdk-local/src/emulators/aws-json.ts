import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { loopback } from './account.ts';
import type { Emulator } from './dynamodb.ts';
import { closeServer, listen } from './listen.ts';

/** A refusal as the service words it; `code` is the type that the SDK makes its exception from. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type Parameters = Readonly<Record<string, unknown>>;
export type Operation = (parameters: Parameters) => Promise<object>;

export interface AwsService {
  /** What stands before the operation in `x-amz-target`. */
  readonly target: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly requestBytesMax: number;
}

/** Serves operations over AWS JSON 1.1 on a free loopback port. */
export async function startAwsJson(service: AwsService): Promise<Emulator> {
  const server = createServer(async (request, response) => {
    const { status, body, errorType } = await answer(service, request);
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': randomUUID(),
      ...(errorType === undefined ? {} : { 'x-amzn-errortype': errorType }),
    });
    response.end(JSON.stringify(body));
  });
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return { endpoint, close: () => closeServer(server) };
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly errorType?: string;
}

async function answer(service: AwsService, request: IncomingMessage): Promise<Answer> {
  try {
    const [target, name = 'This request'] = String(request.headers['x-amz-target']).split('.');
    const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (target !== service.target || operation === undefined) {
      throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
    }
    return { status: 200, body: await operation(await parameters(service, request)) };
  } catch (error) {
    const errorType = error instanceof AwsError ? error.code : 'InternalServiceError';
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof AwsError ? 400 : 500;
    return { status, body: { __type: errorType, Message: message, message }, errorType };
  }
}

async function parameters({ requestBytesMax }: AwsService, request: IncomingMessage): Promise<Parameters> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > requestBytesMax) throw new AwsError('InvalidRequestException', 'The request is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Parameters;
  } catch (cause) {
    throw new AwsError('SerializationException', 'The request is not JSON.', { cause });
  }
}
