import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** One call of AWS that an emulator of this process received. */
export interface RecordedCall {
  /** The access key id that signed it. */
  readonly caller: string;
  /** As IAM names it, as `dynamodb:PutItem`. */
  readonly action: string;
  /** What its body names: tables, indexes, queues, secrets and buses. */
  readonly resources: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CallRecorder {
  readonly calls: readonly RecordedCall[];
  stop(): void;
}

/** IAM's prefix of each service, by the name in the credential scope of its signatures. */
const prefixes: Readonly<Record<string, string>> = {
  dynamodb: 'dynamodb',
  events: 'events',
  secretsmanager: 'secretsmanager',
  sqs: 'sqs',
};

const channel = 'http.server.request.start';

/**
 * Listens to every HTTP server of this process; requests without a signature of AWS are none of its business.
 * Nothing stands between a function and its emulator, so that nothing of their time or errors changes.
 */
export function recordCalls(): CallRecorder {
  const calls: RecordedCall[] = [];
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    const scope = /Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(
      request.headers.authorization ?? '',
    );
    const target = String(request.headers['x-amz-target'] ?? '');
    if (scope === null || target === '') return;
    const [, caller = '', service = ''] = scope;
    const action = `${prefixes[service] ?? service}:${target.split('.').at(-1)}`;
    tapBody(request, (body) => calls.push({ caller, action, body, resources: resourcesIn(body) }));
  };
  subscribe(channel, onRequest);
  return { calls, stop: () => void unsubscribe(channel, onRequest) };
}

/** Sees the body pass by: reading the request here would take it away from its server. */
function tapBody(request: IncomingMessage, onBody: (body: Readonly<Record<string, unknown>>) => void): void {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk !== null) chunks.push(chunk);
    else onBody(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
    return push(chunk, ...rest);
  };
}

type Body = Readonly<Record<string, unknown>>;

function resourcesIn(body: Body): string[] {
  const { TableName, IndexName, RequestItems, QueueUrl, SecretId, Entries } = body;
  if (typeof TableName === 'string')
    return [typeof IndexName === 'string' ? `${TableName}/index/${IndexName}` : TableName];
  if (typeof RequestItems === 'object') return Object.keys(RequestItems ?? {});
  if (typeof QueueUrl === 'string') return [QueueUrl.split('/').at(-1) ?? ''];
  // An ARN of a secret: its name, without the six characters that AWS adds.
  if (typeof SecretId === 'string') return [SecretId.replace(/^.*:secret:/, '').replace(/-\w{6}$/, '')];
  const buses = (Array.isArray(Entries) ? Entries : []).map((entry: Body) => String(entry['EventBusName']));
  return [...new Set(buses)];
}
