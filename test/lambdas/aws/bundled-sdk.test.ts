import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bundleSdk,
  type Call,
  credentials,
  installed,
  observe,
  type Received,
  type Sdk,
} from '../../doubles/bundled-sdk.ts';

let bundled: Sdk;
let bundle: Awaited<ReturnType<typeof bundleSdk>>;

beforeAll(async () => {
  bundle = await bundleSdk();
  bundled = bundle.sdk;
});
afterAll(() => bundle.remove());

const sqsOf = (sdk: Sdk, options: object) => new sdk.SQSClient({ ...options, useQueueUrlAsEndpoint: false });
const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/000000000000/events';
/** What JSON escapes, two- to four-byte characters, and one that XML does not have. */
const MessageBody = 'Zoë "quoted" \\ \u2028 \u{1f600} \u0000\n\ufffe';
const mode = { DataType: 'String', StringValue: 'live' };
const Key = { event_key: { S: 'live:event:1' } };
const Item = { ...Key, body: { B: Buffer.from([0, 255, 1]) }, n: { N: '0.1' }, facts: { SS: ['a', 'b'] } };

const transact = (sdk: Sdk, options: object, token = {}) =>
  new sdk.DynamoDBClient(options).send(
    new sdk.TransactWriteItemsCommand({
      ...{
        TransactItems: [{ Put: { TableName: 'events', Item } }, { Delete: { TableName: 'orders', Key } }],
      },
      ...token,
    }),
  );

const calls: Readonly<Record<string, readonly [call: Call, ...responses: Scripted[]]>> = {
  'a message with attributes': [
    (sdk, options) =>
      sqsOf(sdk, options).send(
        new sdk.SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes: { mode } }),
      ),
    { json: { MessageId: 'm-1', MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') } },
  ],
  'a message that SQS confirms with another hash': [
    (sdk, options) => sqsOf(sdk, options).send(new sdk.SendMessageCommand({ QueueUrl, MessageBody })),
    { json: { MessageId: 'm-1', MD5OfMessageBody: '5cad3aae0ea0b22e58e4f2cf6e9fa2c9' } },
  ],
  'a batch of which one entry is refused': [
    (sdk, options) =>
      sqsOf(sdk, options).send(
        new sdk.ChangeMessageVisibilityBatchCommand({
          QueueUrl,
          Entries: [{ Id: '0', ReceiptHandle: 'r', VisibilityTimeout: 40 }],
        }),
      ),
    { json: { Successful: [], Failed: [{ Id: '0', SenderFault: true, Code: 'InvalidParameterValue' }] } },
  ],
  'a queue that does not exist': [
    (sdk, options) => sqsOf(sdk, options).send(new sdk.GetQueueAttributesCommand({ QueueUrl })),
    {
      status: 400,
      headers: { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
      json: { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'The queue does not exist.' },
    },
  ],
  'an item with bytes, a number and a set': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(new sdk.PutItemCommand({ TableName: 'events', Item })),
    { json: {} },
  ],
  'an item that comes back': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(new sdk.GetItemCommand({ TableName: 'events', Key })),
    {
      json: {
        Item: {
          body: { B: 'AP8B' },
          n: { N: '0.1' },
          facts: { SS: ['a', 'b'] },
          deep: { M: { x: { BOOL: true } } },
        },
      },
    },
  ],
  'keys that stay unprocessed': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(
        new sdk.BatchGetItemCommand({ RequestItems: { events: { Keys: [Key], ConsistentRead: true } } }),
      ),
    { json: { Responses: { events: [] }, UnprocessedKeys: { events: { Keys: [Key] } } } },
  ],
  'a condition that fails, with the existing item': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(
        new sdk.PutItemCommand({
          TableName: 'events',
          Item,
          ConditionExpression: 'attribute_not_exists(event_key)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    {
      status: 400,
      json: {
        __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
        message: 'The conditional request failed',
        Item: { body: { B: 'AP8B' } },
      },
    },
  ],
  'a transaction that an item makes fail, with the existing item': [
    (sdk, options) => transact(sdk, options, { ClientRequestToken: 'token' }),
    {
      status: 400,
      json: {
        __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
        Message: 'Transaction cancelled',
        CancellationReasons: [
          {
            Code: 'ConditionalCheckFailed',
            Message: 'The conditional request failed',
            Item: { body: { B: 'AP8B' } },
          },
          { Code: 'None' },
        ],
      },
    },
  ],
  'a throttled write, then a failure, then success': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(new sdk.PutItemCommand({ TableName: 'events', Item })),
    {
      status: 400,
      json: { __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException' },
    },
    { status: 500, json: { __type: 'InternalServerError' } },
    { json: {} },
  ],
  'a service that always fails': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(new sdk.GetItemCommand({ TableName: 'events', Key })),
    { status: 503, text: 'Service Unavailable' },
  ],
  'a connection that breaks, then success': [
    (sdk, options) => sqsOf(sdk, options).send(new sdk.SendMessageCommand({ QueueUrl, MessageBody: 'x' })),
    { fault: 'cut' },
    { json: { MessageId: 'm-1', MD5OfMessageBody: '9dd4e461268c8034f5c8564e155c67a6' } },
  ],
  'a service whose clock is two hours ahead, then success': [
    (sdk, options) =>
      new sdk.DynamoDBClient(options).send(new sdk.PutItemCommand({ TableName: 'events', Item })),
    {
      status: 400,
      headers: { date: new Date(Date.now() + 7_200_000).toUTCString() },
      json: {
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: 'Signature not yet current',
      },
    },
    { json: {} },
  ],
  'a secret with a time': [
    (sdk, options) =>
      new sdk.SecretsManagerClient(options).send(new sdk.GetSecretValueCommand({ SecretId: 'keys' })),
    { json: { SecretString: 'pri_1', CreatedDate: 1763717415.123, VersionStages: ['AWSCURRENT'] } },
  ],
  'events with a time, of which one is refused': [
    (sdk, options) =>
      new sdk.EventBridgeClient(options).send(
        new sdk.PutEventsCommand({
          Entries: [
            { EventBusName: 'bus', Source: 's', DetailType: 't', Detail: '{}', Time: new Date(1_500) },
          ],
        }),
      ),
    { json: { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] } },
  ],
};

/** On a busy machine the time may pass before the service has received anything. */
const callWithTimeout: Call = (sdk, options) =>
  new sdk.DynamoDBClient({
    ...options,
    maxAttempts: 1,
    requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true },
  }).send(new sdk.GetItemCommand({ TableName: 'events', Key }));

/** Differs from call to call. */
const ownHeaders = [
  'authorization',
  'amz-sdk-invocation-id',
  'host',
  'user-agent',
  'x-amz-date',
  'x-amz-user-agent',
];

const comparable = ({ outcome, received }: Awaited<ReturnType<typeof observe>>) => ({
  outcome,
  received: received.map(({ method, url, headers, body }) => ({
    method,
    url,
    body: JSON.parse(body),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))),
  })),
});

// The pauses between attempts are random, and part of what a response says about itself.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
describe('the SDK in the bundles', () => {
  it.each(Object.entries(calls))(
    'sends and reads like the installed one: %s',
    async (_, [call, ...responses]) => {
      const [ours, theirs] = [
        await observe(bundled, call, responses),
        await observe(installed, call, responses),
      ];
      expect(comparable(ours)).toEqual(comparable(theirs));
    },
  );

  it('gives up on a service that never responds with the error of the installed one', async () => {
    const ours = await observe(bundled, callWithTimeout, [{ fault: 'hang' }]);
    const theirs = await observe(installed, callWithTimeout, [{ fault: 'hang' }]);
    expect(ours.outcome).toMatchObject({ name: 'TimeoutError', code: 'ETIMEDOUT' });
    expect(ours.outcome).toEqual(theirs.outcome);
  });

  it.each([
    '/event-streams/',
    '/parseIni.',
    '/endpoint-cache/',
    '/Sha256Js.',
    '/codec-v2/',
    '/credential-provider-',
    '/partitions.',
    '/AdaptiveRetryStrategy.',
  ])('has no module of %s', (part) => {
    expect(bundle.modules.length).toBeGreaterThan(100);
    expect(bundle.modules.filter((name) => name.includes(part))).toEqual([]);
  });

  it('names a token for each new version of a secret, which makes its retry harmless', async () => {
    const { received } = await observe(
      bundled,
      (sdk, options) =>
        new sdk.SecretsManagerClient(options).send(
          new sdk.PutSecretValueCommand({ SecretId: 'token', SecretString: 'x' }),
        ),
      [{ status: 500 }, { json: {} }],
    );
    const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
  });

  it('sends a transaction again under the token that it made for it, after lost responses too', async () => {
    const { outcome, received } = await observe(bundled, transact, [
      ...[{ fault: 'cut' as const }, { status: 500, json: { __type: 'InternalServerError' } }],
      { json: {} },
    ]);
    expect(outcome).toMatchObject({ $metadata: { httpStatusCode: 200, attempts: 3 } });
    const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens).toEqual([tokens[0], tokens[0], tokens[0]]);
  });

  it('signs what it sends', async () => {
    const [call, response] = calls['a message with attributes'] ?? [];
    const { received } = await observe(bundled, call as Call, [response as Scripted]);
    const { headers, body, method } = received[0] as Received;
    const [, names = '', signature] =
      /SignedHeaders=(\S+), Signature=(\w+)/.exec(`${headers.authorization}`) ?? [];
    const signed = names.split(';').map((name) => [name, String(headers[name])]);
    const signer = new SignatureV4({ service: 'sqs', region: 'eu-central-1', credentials, sha256: Sha256 });
    const again = await signer.sign(
      new HttpRequest({
        method,
        body,
        path: '/',
        hostname: '127.0.0.1',
        headers: Object.fromEntries(signed),
      }),
      { signingDate: dateOf(String(headers['x-amz-date'])) },
    );
    expect(names.split(';')).toContain('x-amz-target');
    expect(again.headers['authorization']).toContain(`Signature=${signature}`);
  });

  it('passes the trace of the invocation on, like the installed one', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'verifier');
    vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1');
    const [call, response] = calls['an item that comes back'] ?? [];
    const traceIn = async (sdk: Sdk) => {
      const { received } = await observe(sdk, call as Call, [response as Scripted]);
      return received.map(({ headers }) => headers['x-amzn-trace-id']);
    };
    const expected = ['Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1'];
    expect(await traceIn(bundled)).toEqual(expected);
    expect(await traceIn(installed)).toEqual(expected);
  });

  it('takes region, credentials and endpoint from the environment of the function', async () => {
    const { baseUrl, received } = await startService({ json: {} });
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'session of the role');
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', baseUrl);
    await new bundled.DynamoDBClient().send(new bundled.GetItemCommand({ TableName: 'events', Key }));
    const { headers } = received[0] as Received;
    expect(headers['x-amz-security-token']).toBe('session of the role');
    expect(headers.authorization).toMatch(/AKIDENVIRONMENT\/\d+\/eu-west-1\/dynamodb\/aws4_request/);
  });

  it('never loads undici, not even for an endpoint without TLS', () => {
    const program = `
      const { DynamoDBClient, GetItemCommand } = require(${JSON.stringify(bundle.file)});
      const options = { region: 'x', credentials: { accessKeyId: 'a', secretAccessKey: 'b' }, maxAttempts: 1 };
      const client = new DynamoDBClient({ ...options, endpoint: 'http://127.0.0.1:9' });
      client.send(new GetItemCommand({ TableName: 't', Key: {} })).catch(({ code }) => {
        console.log(code, process.moduleLoadList.filter((name) => name.includes('undici/undici')).length);
      });`;
    const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(stdout).toBe('ECONNREFUSED 0\n');
  });
});

/** From the format of `x-amz-date`. */
const dateOf = (compact: string): Date =>
  new Date(compact.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
