import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type Pipeline, type PipelineOptions, startPipeline } from '../../local/pipeline/pipeline.ts';

export const privateKey = 'pri_test_key';
export const sandboxKey = 'pri_sandbox_test_key';

export interface Post {
  readonly signature?: string | string[] | undefined;
  readonly key?: 'live' | 'sandbox';
  readonly contentType?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type View = Readonly<Record<string, unknown>>;

/** The whole pipeline in this process, and what a test asks of it. */
export type RunningPipeline = Awaited<ReturnType<typeof runPipeline>>;

export async function runPipeline(options: Partial<PipelineOptions> = {}) {
  const pipeline = await startPipeline({
    port: 0,
    privateKey,
    sandboxKey,
    onLine: () => {},
    onProgress: () => {},
    ...options,
  });
  const asking = createQuestions(pipeline.baseUrl);
  const clients = createClients(pipeline);
  return {
    ...pipeline,
    ...asking,
    ...createInspection(pipeline, clients),
    async stop() {
      for (const client of Object.values(clients)) client.destroy();
      await pipeline.stop();
    },
  };
}

/** What can be asked over HTTP of any pipeline, in this process or another. */
export function createQuestions(baseUrl: string) {
  const signed = (body: Uint8Array, key: string = privateKey) => sign(createSigningKey(key), body);
  const post = (body: Uint8Array, options: Post = {}): Promise<Answer> => {
    const right = signed(body, options.key === 'sandbox' ? sandboxKey : privateKey);
    const signature = 'signature' in options ? options.signature : right;
    const contentType = 'contentType' in options ? options.contentType : 'application/json';
    return send(`${baseUrl}/webhooks/payments`, body, {
      ...(signature === undefined ? {} : { 'X-SERVICE-SIGNATURE': signature }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    });
  };
  const get = async (path: string): Promise<Answer & { readonly json: View }> => {
    const answer = await send(`${baseUrl}${path}`);
    return { ...answer, json: JSON.parse(answer.body) };
  };
  return {
    sign: signed,
    post,
    get,
    /**
     * The live order once `until` holds; the acceptance bound is two
     * seconds, the patience here is for slow machines.
     */
    async order(id: string, until: (order: View) => boolean = () => true): Promise<View> {
      const ask = () => get(`/orders/${encodeURIComponent(id)}`);
      return (await eventually(ask, ({ status, json }) => status === 200 && until(json))).json;
    },
    async event(id: string): Promise<View> {
      const ask = () => get(`/events/${encodeURIComponent(id)}`);
      return (await eventually(ask, ({ status }) => status === 200)).json;
    },
  };
}

function createInspection({ resources }: Pipeline, { sqs, dynamodb }: ReturnType<typeof createClients>) {
  const messagesIn = async (queueUrl: string): Promise<number> => {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  };
  return {
    /** Resolves when every queued event was handled. */
    settled: () =>
      eventually(
        () => messagesIn(resources.eventQueueUrl),
        (messages) => messages === 0,
      ),
    messagesIn,
    deadLetters: () => messagesIn(resources.deadLetterQueueUrl),
    /** The sort keys of all rows under one partition key of `events`. */
    async rowsOfEvents(key: string): Promise<string[]> {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName: resources.eventsTableName,
          KeyConditionExpression: 'event_key = :key',
          ExpressionAttributeValues: { ':key': { S: key } },
        }),
      );
      return Items.map((item) => item['record']?.S ?? '');
    },
    /** Every row of `events`. */
    async countRows(): Promise<number> {
      const scan = new ScanCommand({ TableName: resources.eventsTableName, Select: 'COUNT' });
      return (await dynamodb.send(scan)).Count ?? 0;
    },
  };
}

function createClients({ endpoints }: Pipeline) {
  const base = { region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  return {
    sqs: new SQSClient({ ...base, endpoint: endpoints.sqs }),
    dynamodb: new DynamoDBClient({ ...base, endpoint: endpoints.dynamodb }),
  };
}

/** Plain node:http: `fetch` joins two headers of one name, adds a content type, and normalises paths. */
export async function send(
  url: string,
  body?: Uint8Array,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
    const { statusCode: status = 0, headers: received } = response;
    text(response).then((content) => resolve({ status, headers: received, body: content }), reject);
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

/** The first answer that passes, of as many as ten seconds hold. */
export async function eventually<T>(ask: () => Promise<T>, passes: (answer: T) => boolean): Promise<T> {
  for (let attempts = 0; attempts < 400; attempts += 1) {
    const answer = await ask();
    if (passes(answer)) return answer;
    await pause(25);
  }
  throw new Error('What the test waits for did not come within ten seconds.');
}
