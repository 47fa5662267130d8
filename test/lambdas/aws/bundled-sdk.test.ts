import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { repeatConflicts } from '../../../lambdas/aws/dynamodb.ts';
import {
  type AnyClient,
  addressOf,
  type BundledSdk,
  bundleSdk,
  type Call,
  type ClientName,
  clientNames,
  credentials,
  installed,
  observe,
  type Received,
  type Sdk,
  sending,
} from '../../doubles/bundled-sdk.ts';

let bundle: BundledSdk;
beforeAll(async () => {
  bundle = await bundleSdk();
});
afterAll(() => bundle.remove());
const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1';
beforeEach(() => {
  // The pauses between attempts are random, and part of what a response says about itself.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'verifier');
  vi.stubEnv('_X_AMZN_TRACE_ID', trace);
});

const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/000000000000/events';
/** What JSON escapes, two- to four-byte characters, and one that XML does not have. */
const MessageBody = 'Zoë "quoted" \\ \u2028 \u{1f600} \u0000\n\ufffe';
const mode = { DataType: 'String', StringValue: 'live' };
const Key = { event_key: { S: 'live:event:1' } };
const Item = { ...Key, body: { B: Buffer.from([0, 255, 1]) }, n: { N: '0.1' }, facts: { SS: ['a', 'b'] } };
const TransactItems = [{ Put: { TableName: 'events', Item } }, { Delete: { TableName: 'orders', Key } }];

const inSqs = { useQueueUrlAsEndpoint: false };
const timed = { EventBusName: 'bus', Source: 's', DetailType: 't', Detail: '{}', Time: new Date(1_500) };
const guarded = {
  ...{ TableName: 'events', Item, ConditionExpression: 'attribute_not_exists(event_key)' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
};
const send = sending('SQSClient', 'SendMessageCommand', { QueueUrl, MessageBody }, inSqs);
const get = sending('DynamoDBClient', 'GetItemCommand', { TableName: 'events', Key });
const put = sending('DynamoDBClient', 'PutItemCommand', { TableName: 'events', Item });
const transact = sending('DynamoDBClient', 'TransactWriteItemsCommand', { TransactItems });
const putSecret = sending('SecretsManagerClient', 'PutSecretValueCommand', {
  SecretId: 'token',
  SecretString: 'x',
});

const confirmed: Scripted = {
  json: { MessageId: 'm-1', MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') },
};
const found = {
  body: { B: 'AP8B' },
  n: { N: '0.1' },
  facts: { SS: ['a'] },
  deep: { M: { x: { BOOL: true } } },
};
const failed = (status: number, __type: string, more: object = {}): Scripted => ({
  status,
  json: { __type, ...more },
});
const internal = failed(500, 'InternalServerError');
const throughput = failed(400, 'ProvisionedThroughputExceededException');
const [done, lost]: [Scripted, Scripted] = [{ json: {} }, { fault: 'cut' }];

const withMode = { QueueUrl, MessageBody, MessageAttributes: { mode } };
const visibility = { QueueUrl, Entries: [{ Id: '0', ReceiptHandle: 'r', VisibilityTimeout: 40 }] };
const batch = { RequestItems: { events: { Keys: [Key], ConsistentRead: true } } };
const old = { message: 'The conditional request failed', Item: { body: { B: 'AP8B' } } };

const calls: Readonly<Record<string, readonly [call: Call, ...responses: Scripted[]]>> = {
  'a message with attributes': [sending('SQSClient', 'SendMessageCommand', withMode, inSqs), confirmed],
  'a message that SQS confirms with another hash': [
    send,
    { json: { MessageId: 'm-1', MD5OfMessageBody: '5cad3aae0ea0b22e58e4f2cf6e9fa2c9' } },
  ],
  'a batch of which one entry is refused': [
    sending('SQSClient', 'ChangeMessageVisibilityBatchCommand', visibility, inSqs),
    { json: { Successful: [], Failed: [{ Id: '0', SenderFault: true, Code: 'InvalidParameterValue' }] } },
  ],
  'a queue that does not exist': [
    sending('SQSClient', 'GetQueueAttributesCommand', { QueueUrl }, inSqs),
    {
      ...failed(400, 'com.amazonaws.sqs#QueueDoesNotExist', { message: 'The queue does not exist.' }),
      headers: { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
    },
  ],
  'an item with bytes, a number and a set': [put, done],
  'an item that comes back': [get, { json: { Item: found } }],
  'keys that stay unprocessed': [
    sending('DynamoDBClient', 'BatchGetItemCommand', batch),
    { json: { Responses: { events: [] }, UnprocessedKeys: { events: { Keys: [Key] } } } },
  ],
  'a condition that fails, with the existing item': [
    sending('DynamoDBClient', 'PutItemCommand', guarded),
    failed(400, 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', old),
  ],
  'a transaction that an item makes fail, with the existing item': [
    transact,
    failed(400, 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', {
      Message: 'Transaction cancelled',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', ...old }, { Code: 'None' }],
    }),
  ],
  'a transaction, after lost responses under the same token': [transact, lost, internal, done],
  'a version of a secret, after a failure under the same token': [putSecret, { status: 500 }, done],
  'a throttled write, then a failure, then success': [put, throughput, internal, done],
  'a service that always fails': [get, { status: 503, text: 'Service Unavailable' }],
  'a connection that breaks, then success': [send, lost, confirmed],
  'a service whose clock is two hours ahead, then success': [
    put,
    {
      ...failed(400, 'com.amazon.coral.service#InvalidSignatureException'),
      headers: { date: new Date(Date.now() + 7_200_000).toUTCString() },
    },
    done,
  ],
  'a secret with a time': [
    sending('SecretsManagerClient', 'GetSecretValueCommand', { SecretId: 'keys' }),
    { json: { SecretString: 'pri_1', CreatedDate: 1763717415.123, VersionStages: ['AWSCURRENT'] } },
  ],
  'events with a time, of which one is refused': [
    sending('EventBridgeClient', 'PutEventsCommand', { Entries: [timed] }),
    { json: { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] } },
  ],
};

/** Differs from call to call. */
const ownHeaders = [
  ...[
    'authorization',
    'amz-sdk-invocation-id',
    'host',
    'user-agent',
    'x-amz-date',
    'x-amz-user-agent',
    'x-amz-content-sha256',
  ],
];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Without what is random: a token that the SDK made stands for the first attempt that has it. */
function comparable({ outcome, received }: Awaited<ReturnType<typeof observe>>) {
  const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
  const sent = received.map(({ method, url, headers, body }, n) => {
    const shown = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name));
    const hash = createHash('sha256').update(body).digest('hex');
    return {
      ...{ method, url, isHashRight: headers['x-amz-content-sha256'] === hash },
      ...{ body: JSON.parse(body), headers: Object.fromEntries(shown) },
      ...(uuid.test(tokens[n]) && {
        body: { ...JSON.parse(body), ClientRequestToken: tokens.indexOf(tokens[n]) },
      }),
    };
  });
  return { outcome, sent };
}

describe('the SDK in the bundles', () => {
  it.each(Object.entries(calls))(
    'sends and reads like the installed one: %s',
    async (_, [call, ...responses]) => {
      const ours = comparable(await observe(bundle.sdk, call, responses));
      expect(ours).toEqual(comparable(await observe(installed, call, responses)));
    },
  );

  it('gives up on a service that never responds with the error of the installed one', async () => {
    // On a busy machine the time may pass before the service has received anything.
    const quick = { requestTimeout: 50, throwOnRequestTimeout: true };
    const options = { maxAttempts: 1, requestHandler: quick };
    const call = sending('DynamoDBClient', 'GetItemCommand', { TableName: 'events', Key }, options);
    const { outcome } = await observe(bundle.sdk, call, [{ fault: 'hang' }]);
    expect(outcome).toMatchObject({ name: 'TimeoutError', code: 'ETIMEDOUT' });
    expect(outcome).toEqual((await observe(installed, call, [{ fault: 'hang' }])).outcome);
  });

  it.each([
    ...['/event-streams/', '/parseIni.', '/endpoint-cache/', '/Sha256Js.', '/codec-v2/'],
    ...['/credential-provider-', '/partitions.', '/AdaptiveRetryStrategy.'],
  ])('has no module of %s', (part) => {
    expect(bundle.modules.length).toBeGreaterThan(100);
    expect(bundle.modules.filter((name) => name.includes(part))).toEqual([]);
  });

  it('signs what it sends, and passes the trace of the invocation on', async () => {
    const { received } = await observe(bundle.sdk, send, [confirmed]);
    const { headers, body, method } = received[0] as Received;
    const [, names = '', signature] =
      /SignedHeaders=(\S+), Signature=(\w+)/.exec(`${headers.authorization}`) ?? [];
    const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
    const signer = new SignatureV4({ service: 'sqs', region: 'eu-central-1', credentials, sha256: Sha256 });
    const again = await signer.sign(
      new HttpRequest({ method, body, path: '/', hostname: '127.0.0.1', headers: signed }),
      { signingDate: dateOf(String(headers['x-amz-date'])) },
    );
    expect(names.split(';')).toContain('x-amz-target');
    expect(again.headers['authorization']).toContain(`Signature=${signature}`);
    expect(headers['x-amzn-trace-id']).toBe(trace);
  });

  it.each([
    ['with the token of its role', 'session of the role'],
    ['without one, as in a test', undefined],
  ])('takes region, credentials and endpoint from the environment, %s', async (_, session) => {
    const { baseUrl, received } = await startService(done);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', session);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', baseUrl);
    await get(bundle.sdk, {});
    const { headers } = received[0] as Received;
    expect(headers['x-amz-security-token']).toBe(session);
    expect(headers.authorization).toMatch(/AKIDENVIRONMENT\/\d+\/eu-west-1\/dynamodb\/aws4_request/);
  });

  it.each([
    ['AWS_REGION', 'AWS_REGION is not in the environment; Lambda sets it.'],
    ['AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment'],
    ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment'],
  ])('needs the variable %s', async (name, message) => {
    for (const usual of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
      vi.stubEnv(usual, usual === name ? undefined : 'given');
    await expect(get(bundle.sdk, {})).rejects.toThrow(message);
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

describe('the client of DynamoDB in the bundles', () => {
  const conflict = failed(400, 'TransactionConflictException');
  const condition = failed(400, 'ConditionalCheckFailedException');

  it.each<[string, readonly Scripted[], outcome: string]>([
    ['repeats a write that met transactions on its item', [conflict, conflict, done], 'done'],
    ['gives up after three that met transactions', [conflict], 'TransactionConflictException'],
    ['repeats no write whose condition is not met', [condition, done], 'ConditionalCheckFailedException'],
  ])('%s', async (_, responses, outcome) => {
    const write: Call = async (sdk, options) => {
      const client = repeatConflicts(new sdk.DynamoDBClient(options));
      await client.send(new sdk.PutItemCommand({ TableName: 'events', Item }));
      return { name: 'done' };
    };
    expect(await observe(bundle.sdk, write, responses)).toMatchObject({ outcome: { name: outcome } });
  });
});

/** One of each partition; of two, both that differ in the rules for DynamoDB. */
const regions = [
  ...['us-east-1', 'eu-central-1', 'mx-central-1', 'cn-north-1', 'cn-northwest-1', 'us-gov-west-1'],
  ...['us-gov-east-1', 'eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1', 'eu-isoe-west-1'],
  'us-isof-south-1',
];

const command = {
  DynamoDBClient: (sdk: Sdk) => new sdk.GetItemCommand({ TableName: 't', Key: {} }),
  SQSClient: (sdk: Sdk) => new sdk.GetQueueAttributesCommand({ QueueUrl: undefined }),
  SecretsManagerClient: (sdk: Sdk) => new sdk.GetSecretValueCommand({ SecretId: 's' }),
  EventBridgeClient: (sdk: Sdk) => new sdk.PutEventsCommand({ Entries: [] }),
};

describe('the address of a service', () => {
  const find = (sdk: Sdk, name: ClientName, options: object) =>
    addressOf(new sdk[name]({ credentials, ...options }), command[name](sdk));

  it.each(clientNames)('is the one that the installed %s finds, in every partition', async (name) => {
    for (const region of regions) {
      for (const useFipsEndpoint of [false, true]) {
        const options = { region, useFipsEndpoint };
        const [ours, theirs] = [await find(bundle.sdk, name, options), await find(installed, name, options)];
        expect(`${JSON.stringify(options)} ${ours}`).toBe(`${JSON.stringify(options)} ${theirs}`);
      }
    }
  });

  it('follows the variables of the environment, as installed', async () => {
    const region = 'us-east-1';
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true');
    expect(await find(bundle.sdk, 'SQSClient', { region })).toBe('https://sqs-fips.us-east-1.amazonaws.com/');
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'false');
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', 'http://127.0.0.2:2');
    for (const sdk of [bundle.sdk, installed]) {
      expect(await find(sdk, 'SQSClient', { region })).toBe('http://127.0.0.1/');
      expect(await find(sdk, 'SecretsManagerClient', { region })).toBe('http://127.0.0.2/');
    }
    vi.stubEnv('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', 'true');
    expect(await find(bundle.sdk, 'SQSClient', { region })).toBe('https://sqs.us-east-1.amazonaws.com/');
  });

  it('is that of the queue for a queue elsewhere, as installed', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    for (const sdk of [bundle.sdk, installed]) {
      const attributes = new sdk.GetQueueAttributesCommand({ QueueUrl: 'http://queues.example/0/events' });
      const client = new sdk.SQSClient({ region: 'us-east-1', credentials });
      expect(await addressOf(client, attributes)).toBe('http://queues.example/');
    }
  });

  it('is that of another client for one that is made of its configuration, as installed', async () => {
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    for (const sdk of [bundle.sdk, installed]) {
      const { region, requestHandler } = new sdk.DynamoDBClient({ credentials }).config;
      const made = new sdk.DynamoDBClient({ region, requestHandler, credentials });
      const address = await addressOf(made, command.DynamoDBClient(sdk));
      expect(address).toBe('https://dynamodb.eu-west-1.amazonaws.com/');
    }
  });
});

interface Traits {
  readonly error: 'client' | 'server';
  readonly httpError?: number;
  readonly awsQueryError?: readonly [string, number];
}

/** What a service responds with for each error that the installed SDK knows. */
const errorsOf = (namespace: string): Scripted[] =>
  Object.values(installed).flatMap((schema: unknown) => {
    if (!Array.isArray(schema) || schema[0] !== -3 || schema[1] !== namespace) return [];
    const [, , name, traits] = schema as [number, string, string, Traits];
    const status = traits.httpError ?? (traits.error === 'server' ? 500 : 400);
    const [legacyName] = traits.awsQueryError ?? [name];
    return {
      ...failed(status, `${namespace}#${name}`, { message: `about ${name}` }),
      headers: namespace.endsWith('sqs') ? { 'x-amzn-query-error': `${legacyName};Sender` } : {},
    };
  });

it.each<[ClientName, namespace: string]>([
  ['DynamoDBClient', 'com.amazonaws.dynamodb'],
  ['SQSClient', 'com.amazonaws.sqs'],
  ['SecretsManagerClient', 'com.amazonaws.secretsmanager'],
  ['EventBridgeClient', 'com.amazonaws.eventbridge'],
])('every error of %s has the name, message and metadata of the installed SDK', async (name, namespace) => {
  const errors = errorsOf(namespace);
  expect(errors.length).toBeGreaterThan(10);
  const all = async (sdk: Sdk, options: object) => {
    const client: AnyClient = new sdk[name]({ ...options, maxAttempts: 1 });
    const outcomes: object[] = [];
    for (const _ of errors) {
      const error = await client.send(command[name](sdk) as never).catch((cause: Error) => cause);
      const { name: kind, message } = error as Error;
      outcomes.push({ ...(error as object), name: kind, message });
    }
    return outcomes;
  };
  const { outcome: ours } = await observe(bundle.sdk, all, errors);
  const { outcome: theirs } = await observe(installed, all, errors);
  // As JSON, without what is undefined.
  expect(JSON.parse(JSON.stringify(ours))).toEqual(JSON.parse(JSON.stringify(theirs)));
});
