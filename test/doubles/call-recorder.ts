import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** A call of AWS that an emulator in this process received. */
export interface RecordedCall {
  /** The access key id of its signature. */
  readonly caller: string;
  /** As in a policy, such as `dynamodb:PutItem`. */
  readonly action: string;
  /** The names in its body: tables, indexes, queues, secrets and buses. */
  readonly resources: readonly string[];
  readonly body: Body;
}

type Body = Readonly<Record<string, unknown>>;

export type CallRecorder = ReturnType<typeof recordCalls>;

const channel = 'http.server.request.start';

/**
 * Records the AWS requests of every HTTP server in this process. It only listens: no proxy between a function
 * and its emulator changes their timing or errors.
 */
export function recordCalls() {
  const calls: RecordedCall[] = [];
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    const scope = /Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(
      request.headers.authorization ?? '',
    );
    const target = String(request.headers['x-amz-target'] ?? '');
    if (scope === null || target === '') return;
    const [, caller = '', service = ''] = scope;
    const name = `${target.split('.').at(-1)}`;
    observeBody(request, (body) => {
      for (const part of partsOf(name, body))
        calls.push({ caller, action: `${service}:${part.action}`, body, resources: resourcesIn(part.body) });
    });
  };
  subscribe(channel, onRequest);
  return { calls, stop: (): void => void unsubscribe(channel, onRequest) };
}

/**
 * What a policy must permit. SQS checks the action of a single message for a batch of them, and DynamoDB that of
 * each item of a transaction; its batches are actions of their own.
 */
function partsOf(name: string, body: Body): readonly { readonly action: string; readonly body: Body }[] {
  const { TransactItems } = body;
  if (!Array.isArray(TransactItems)) return [{ action: name.replace(/(?<=Message.*)Batch$/, ''), body }];
  return TransactItems.flatMap((item: Readonly<Record<string, Body>>) =>
    Object.entries(item).map(([kind, part]) => ({ action: `${kind}Item`, body: part })),
  );
}

/** Copies the body on its way to the server, which is the only reader of the request. */
function observeBody(request: IncomingMessage, onBody: (body: Body) => void): void {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk !== null) chunks.push(chunk);
    else onBody(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
    return push(chunk, ...rest);
  };
}

function resourcesIn(body: Body): string[] {
  const { TableName, IndexName, RequestItems, QueueUrl, SecretId, Entries } = body;
  if (typeof TableName === 'string')
    return [typeof IndexName === 'string' ? `${TableName}/index/${IndexName}` : TableName];
  if (typeof RequestItems === 'object') return Object.keys(RequestItems ?? {});
  if (typeof QueueUrl === 'string') return [QueueUrl.split('/').at(-1) ?? ''];
  // The name in the ARN of a secret, without the six characters that AWS adds.
  if (typeof SecretId === 'string') return [SecretId.replace(/^.*:secret:/, '').replace(/-\w{6}$/, '')];
  const buses = (Array.isArray(Entries) ? Entries : []).map((entry: Body) => String(entry['EventBusName']));
  return [...new Set(buses)];
}
