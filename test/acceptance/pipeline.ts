import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { OperationsClient } from '@payhooks/order-client';
import { eventAttributes, eventRecord } from '../../lambdas/contract/schema.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';

/** The keys that every pipeline under test holds; a test signs with them. */
export const privateKey = 'pri_test_key';
export const sandboxKey = 'pri_sandbox_test_key';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type View = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, AttributeValue>>;

/** A running pipeline, wherever it runs, as the acceptance suite sees it. */
export type AcceptanceTarget = ReturnType<typeof createRequests> &
  ReturnType<typeof createInspection> & { readonly operations: OperationsClient };

/** States one fact about a pipeline. Its name makes sense alone. */
export type StateFact = (name: string, prove: (pipeline: AcceptanceTarget) => Promise<void>) => void;

/** Posts one body after the other: of two under one event id, the first is the event. */
export async function record(pipeline: AcceptanceTarget, ...bodies: readonly Uint8Array[]): Promise<void> {
  for (const body of bodies) {
    await pipeline.post(body);
    await pipeline.settled();
  }
}

/** Sends one request; a POST when there is a body. */
export type Send = (url: string, body?: Uint8Array, headers?: OutgoingHttpHeaders) => Promise<HttpResponse>;

export interface Addresses {
  readonly webhookUrl: string;
  /** Without a slash at its end. */
  readonly queryUrl: string;
  readonly send?: Send;
  /** The headers that authorise a query; local mode needs none. */
  readonly authorise?: (url: URL) => Promise<OutgoingHttpHeaders>;
}

export interface Post {
  readonly signature?: string | string[] | undefined;
  readonly key?: 'live' | 'sandbox';
  readonly contentType?: string | undefined;
}

/** Requests that any pipeline takes over HTTP, in this process or another. */
export function createRequests(addresses: Addresses) {
  const { webhookUrl, queryUrl, send = createSend(), authorise } = addresses;
  const signed = (body: Uint8Array, key: string = privateKey) => sign(createSigningKey(key), body);
  const get = async (path: string): Promise<HttpResponse & { readonly json: View }> => {
    const url = `${queryUrl}${path}`;
    const response = await send(url, undefined, await authorise?.(new URL(url)));
    return { ...response, json: JSON.parse(response.body) };
  };
  const found = async (path: string, until: (view: View) => boolean): Promise<View> => {
    const passes = ({ status, json }: { status: number; json: View }) => status === 200 && until(json);
    return (await eventually(() => get(path), passes)).json;
  };
  return {
    sign: signed,
    get,
    /** Posts a webhook; its signature is right unless `options` gives another. */
    post(body: Uint8Array, options: Post = {}): Promise<HttpResponse> {
      const right = signed(body, options.key === 'sandbox' ? sandboxKey : privateKey);
      const signature = 'signature' in options ? options.signature : right;
      const contentType = 'contentType' in options ? options.contentType : 'application/json';
      return send(webhookUrl, body, {
        ...(signature === undefined ? {} : { 'X-SERVICE-SIGNATURE': signature }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      });
    },
    /** The live order once `until` holds. */
    order: (id: string, until: (order: View) => boolean = () => true) =>
      found(`/orders/${encodeURIComponent(id)}`, until),
    /** The live event once it is recorded and `until` holds. */
    event: (id: string, until: (event: View) => boolean = () => true) =>
      found(`/events/${encodeURIComponent(id)}`, until),
  };
}

/** Plain node:http: `fetch` joins two headers of one name, adds a content type, and normalises paths. */
export function createSend(options: RequestOptions = {}): Send {
  return async (url, body, headers = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
    const open = url.startsWith('https:') ? secureRequest : request;
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = open(url, { method, headers, ...options }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      text(response).then((content) => resolve({ status, headers: received, body: content }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  };
}

/**
 * The first result that passes. The attempts take 45 seconds, or more where results take their time: a busy machine may
 * need them, and an idle one ends with the first.
 */
export async function eventually<T>(
  attempt: () => Promise<T>,
  passes: (result: T) => boolean,
  attemptsMax = 1_800,
): Promise<T> {
  for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
    const result = await attempt();
    if (passes(result)) return result;
    await pause(25);
  }
  throw new Error(`What the test waits for did not come in ${attemptsMax} attempts, 25 ms apart.`);
}

export interface Inspected {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  readonly eventQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly eventsTableName: string;
}

/** What only the queues and tables of a pipeline show. */
export function createInspection({ sqs, dynamodb, eventQueueUrl, deadLetterQueueUrl, ...rest }: Inspected) {
  const messagesIn = async (QueueUrl: string): Promise<number> => {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  };
  const isEmpty = (messages: number): boolean => messages === 0;
  return {
    messagesIn,
    /** Resolves when every queued event was handled. */
    settled: () => eventually(() => messagesIn(eventQueueUrl), isEmpty),
    deadLetters: () => messagesIn(deadLetterQueueUrl),
    /** All rows under one partition key of `events`. */
    async eventRows(key: string): Promise<readonly Row[]> {
      const query = new QueryCommand({
        TableName: rest.eventsTableName,
        KeyConditionExpression: 'event_key = :key',
        ExpressionAttributeValues: { ':key': { S: key } },
      });
      return (await dynamodb.send(query)).Items ?? [];
    },
    /** The sort keys of all rows under one partition key of `events`. */
    async rowsOfEvents(key: string): Promise<string[]> {
      return (await this.eventRows(key)).map((row) => row['record']?.S ?? '');
    },
    /** The keys of the live rows that wait for a person, by the kind that the index has. */
    async waiting(kind: string): Promise<string[]> {
      const query = new QueryCommand({
        TableName: rest.eventsTableName,
        IndexName: 'waiting',
        KeyConditionExpression: 'waiting = :waiting',
        ExpressionAttributeValues: { ':waiting': { S: `live:${kind}` } },
      });
      return ((await dynamodb.send(query)).Items ?? []).map((row) => row['event_key']?.S ?? '');
    },
    /** Every row of `events` that a webhook or an act writes: heartbeats and the feed write theirs at any time. */
    async countRows(): Promise<number> {
      const scan = new ScanCommand({
        TableName: rest.eventsTableName,
        Select: 'COUNT',
        FilterExpression: 'NOT begins_with(event_key, :heartbeat) AND #record <> :attention',
        ExpressionAttributeNames: { '#record': eventAttributes.record },
        ExpressionAttributeValues: {
          ':heartbeat': { S: 'heartbeat:' },
          ':attention': { S: eventRecord.attention },
        },
      });
      return (await dynamodb.send(scan)).Count ?? 0;
    },
  };
}
