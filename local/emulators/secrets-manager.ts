import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { loopback } from './account.ts';
import type { Emulator } from './dynamodb.ts';
import { closeServer, listen } from './listen.ts';
import { createSecretStore, SecretError, type SecretStore } from './secrets-store.ts';

/** What the real service allows for a secret is 64 KB; the rest of a request is names. */
const requestBytesMax = 256 * 1024;

/**
 * A Secrets Manager over AWS JSON 1.1 on a free loopback port, in memory or kept in `file`: CreateSecret,
 * GetSecretValue, PutSecretValue, DescribeSecret and UpdateSecretVersionStage. No package emulates it.
 */
export async function startSecretsManager(file?: string): Promise<Emulator> {
  const store = await createSecretStore(file);
  const server = createServer(async (request, response) => {
    const { status, body, errorType } = await answer(store, request);
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

async function answer(store: SecretStore, request: IncomingMessage): Promise<Answer> {
  try {
    const operation = /^secretsmanager\.(\w+)$/.exec(String(request.headers['x-amz-target']))?.[1];
    if (operation === undefined || !Object.hasOwn(store, operation)) {
      throw new SecretError('UnknownOperationException', `${operation ?? 'This request'} is not emulated.`);
    }
    const body = await store[operation as keyof SecretStore](await parameters(request));
    return { status: 200, body };
  } catch (error) {
    const errorType = error instanceof SecretError ? error.code : 'InternalServiceError';
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof SecretError ? 400 : 500;
    return { status, body: { __type: errorType, Message: message, message }, errorType };
  }
}

async function parameters(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > requestBytesMax) throw new SecretError('InvalidRequestException', 'The request is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
  } catch (cause) {
    throw new SecretError('SerializationException', 'The request is not JSON.', { cause });
  }
}
