import { hash } from 'node:crypto';
import type { Received, Scripted } from '@payhooks/payment-service/testing';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as bundled from './bundled.ts';

const { addressOf, credentials, observe, sending, whole } = bundled;
const lean = await bundled.bundleLean();

beforeEach(() => {
  // The pauses between attempts are random, and part of what a response says about itself.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'function');
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1');
});

const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/000000000000/events';
/** What JSON escapes, two- to four-byte characters, and one that XML does not have. */
const MessageBody = 'Zoë "quoted" \\ \u2028 \u{1f600} \u0000\n\ufffe';
const MessageAttributes = { mode: { DataType: 'String', StringValue: 'live' } };
const Key = { id: { S: '1' } };
const Item = { ...Key, body: { B: Buffer.from([0, 255, 1]) }, n: { N: '0.1' }, facts: { SS: ['a', 'b'] } };
const TransactItems = [{ Put: { TableName: 'events', Item } }, { Delete: { TableName: 'orders', Key } }];
const Entries = [{ EventBusName: 'bus', Source: 's', DetailType: 't', Detail: '{}', Time: new Date(1_500) }];

const inSqs = { useQueueUrlAsEndpoint: false };
const send = sending('SQSClient', 'SendMessageCommand', { QueueUrl, MessageBody, MessageAttributes }, inSqs);
const list = sending('SQSClient', 'ListQueuesCommand', {});
const attributes = sending('SQSClient', 'GetQueueAttributesCommand', { QueueUrl });
const get = sending('DynamoDBClient', 'GetItemCommand', { TableName: 'events', Key });
const transact = sending('DynamoDBClient', 'TransactWriteItemsCommand', { TransactItems });
const putSecret = sending('SecretsManagerClient', 'PutSecretValueCommand', { SecretId: 's' });
const secret = sending('SecretsManagerClient', 'GetSecretValueCommand', { SecretId: 's' });
const emit = sending('EventBridgeClient', 'PutEventsCommand', { Entries });

const [done, lost]: [Scripted, Scripted] = [{ json: {} }, { fault: 'cut' }];
/** A call of each service, two with a token that the SDK makes, and a response of success. */
const usual = {
  DynamoDBClient: [transact, done],
  SQSClient: [send, { json: { MessageId: 'm-1', MD5OfMessageBody: hash('md5', MessageBody) } }],
  SecretsManagerClient: [putSecret, done],
  EventBridgeClient: [emit, { json: { FailedEntryCount: 1, Entries: [{ ErrorCode: 'Throttled' }] } }],
} satisfies Record<bundled.ClientName, [bundled.Call, Scripted]>;
const clients = Object.keys(usual) as bundled.ClientName[];

const failed = (status: number, __type: string, more: object = {}): Scripted => ({
  status,
  json: { __type, message: 'why', ...more },
});
const internal = failed(500, 'InternalServerError');
const twoHoursAhead = { date: new Date(Date.now() + 7_200_000).toUTCString() };

/** Each before the response of success, which only another attempt gets. */
const faults: Readonly<Record<string, readonly Scripted[]>> = {
  'no fault': [],
  'a failure': [internal],
  'failures without end': [internal, internal, internal, internal],
  'a gateway that is no JSON': [{ status: 503, text: '<html>Service Unavailable</html>' }],
  'a throttled request': [failed(400, 'ThrottlingException')],
  'a throttled table, then a failure': [failed(400, 'ProvisionedThroughputExceededException'), internal],
  'status 429 without a body': [{ status: 429 }],
  'a connection that breaks': [lost],
  'connections that always break': [lost, lost, lost, lost],
  'a body that ends early': [{ text: '{"half":' }],
  'an error that is not in the model': [failed(400, 'com.example#NewException')],
  'expired credentials': [failed(400, 'ExpiredTokenException')],
  'a refused signature': [failed(403, 'InvalidSignatureException')],
  'a clock two hours ahead': [{ ...failed(400, 'InvalidSignatureException'), headers: twoHoursAhead }],
};

const old = { Item: { body: { B: 'AP8B' } } };
const found = { body: { B: 'AP8B' }, n: { N: '0.1' }, deep: { M: { x: { BOOL: true } } } };
const guarded = { TableName: 'events', Item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
const put = sending('DynamoDBClient', 'PutItemCommand', guarded);
const reasons = { CancellationReasons: [{ Code: 'ConditionalCheckFailed', ...old }, { Code: 'None' }] };
const special: Readonly<Record<string, readonly [bundled.Call, object, status?: number]>> = {
  'a message that SQS confirms with another hash': [send, { MessageId: 'm-1', MD5OfMessageBody: 'x' }],
  'an item that comes back': [get, { Item: found }],
  'a secret with a time': [secret, { SecretString: 'x', CreatedDate: 1763717415.123, VersionStages: ['y'] }],
  'a condition that fails': [put, { __type: 'x#ConditionalCheckFailedException', ...old }, 400],
  'a cancelled transaction': [transact, { __type: 'x#TransactionCanceledException', ...reasons }, 400],
};

const scenarios = [
  ...clients.flatMap((client) =>
    Object.entries(faults).map(([fault, before]) => {
      const [call, success] = usual[client];
      return [`${client}: ${fault}`, call, [...before, success]] as const;
    }),
  ),
  ...Object.entries(special).map(
    ([title, [call, json, status = 200]]) => [title, call, [{ status, json }]] as const,
  ),
];

/** Without what differs from call to call, and from port to port. */
const own = /^(authorization|amz-sdk-invocation-id|host|x-amz-date|x-amz-content-sha256|x-amz-user-agent)$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function comparable({ outcome, received }: Awaited<ReturnType<typeof observe>>) {
  const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
  const sent = received.map(async (request, n) => {
    const { method, url, headers, body } = request;
    const shown = Object.entries(headers).filter(([name]) => !own.test(name));
    // Which features of the SDK a client has differs by design; the SDK's CommonJS names an older version.
    const userAgent = headers['user-agent']?.replace(/ m\/\S+/, '').replaceAll(/3\.\d+\.\d+/g, '3');
    // A token that the SDK made stands for the first attempt that has it.
    const token = uuid.test(tokens[n]) && { ClientRequestToken: tokens.indexOf(tokens[n]) };
    return {
      ...{ method, url, isSigned: await isSigned(request), body: { ...JSON.parse(body), ...token } },
      headers: { ...Object.fromEntries(shown), 'user-agent': userAgent },
    };
  });
  return { outcome, sent: await Promise.all(sent) };
}

const compactDate = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/;

/** Whether the signature is the one that AWS calculates. */
async function isSigned({ method, headers, body }: Received) {
  const [, region = '', service = '', names = '', signature] =
    /\d{8}\/([^/]+)\/([^/]+)\/.*SignedHeaders=(\S+), Signature=(\w+)/.exec(`${headers.authorization}`) ?? [];
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
  const sessionToken = headers['x-amz-security-token']?.toString() ?? '';
  const signer = new SignatureV4({
    service,
    region,
    credentials: { ...credentials, sessionToken },
    sha256: Sha256,
  });
  const date = `${headers['x-amz-date']}`.replace(compactDate, '$1-$2-$3:$4:$5');
  const request = new HttpRequest({ method, body, path: '/', hostname: '127.0.0.1', headers: signed });
  const { authorization } = (await signer.sign(request, { signingDate: new Date(date) })).headers;
  return names.includes('x-amz-target') && authorization?.endsWith(`Signature=${signature}`);
}

async function expectSame(call: bundled.Call, responses: readonly Scripted[], options: object = {}) {
  const ours = await comparable(await observe(lean, call, responses, options));
  expect(ours).toEqual(await comparable(await observe(whole, call, responses, options)));
  expect(ours.sent.every(({ isSigned }) => isSigned)).toBe(true);
  return ours;
}

describe('the lean clients', () => {
  it.each(scenarios)('send and read like those of the whole SDK: %s', async (_, call, responses) => {
    expect((await expectSame(call, responses)).sent.length).toBeGreaterThan(0);
  });

  const limited = { maxAttempts: 1, requestHandler: { requestTimeout: 50 } };
  it.each([
    ['TimeoutError', 'hang', () => limited],
    ['TimeoutError', 'stall', () => limited],
    ['AbortError', 'hang', () => ({ abortSignal: AbortSignal.timeout(50) })],
    ['AbortError', 'hang', () => ({ abortSignal: AbortSignal.abort() })],
  ] as const)('end with a %s where a service would %s', async (name, fault, optionsOf) => {
    const { outcome } = await observe(lean, get, [{ fault }], optionsOf());
    expect(outcome).toMatchObject({ name, ...(name === 'TimeoutError' && { code: 'ETIMEDOUT' }) });
  });

  it('end a call in time that waits for one of 50 connections', async () => {
    const call: bundled.Call = async ({ DynamoDBClient, GetItemCommand }, given) => {
      const client = new DynamoDBClient(given);
      const command = new GetItemCommand({ TableName: 'events', Key });
      for (let n = 0; n < 50; n += 1) client.send(command).catch(() => undefined);
      return client.send(command, { abortSignal: AbortSignal.timeout(50) });
    };
    const { outcome } = await observe(lean, call, [{ fault: 'hang' }]);
    expect(outcome).toMatchObject({ name: 'AbortError' });
  });

  it.each(clients)('of %s know every error of the whole SDK', async (client) => {
    const namespace = `com.amazonaws.${client.slice(0, -6).toLowerCase()}`;
    const errors = errorsOf(namespace);
    expect(errors.length).toBeGreaterThan(10);
    for (const error of errors) await expectSame(usual[client][0], [error], { maxAttempts: 1 });
  });

  const environment = {
    ...{ AWS_REGION: 'eu-west-1', AWS_SDK_UA_APP_ID: 'shop', AWS_ACCESS_KEY_ID: credentials.accessKeyId },
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  it.each(['session', ''])('take all from the environment, with session token "%s"', async (token) => {
    const variables = { ...environment, AWS_SESSION_TOKEN: token };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const { sent } = await expectSame(secret, [done], { region: undefined, credentials: undefined });
    const headers: Readonly<Record<string, unknown>> = sent[0]?.headers ?? {};
    expect(headers['x-amz-security-token']).toBe(token || undefined);
    expect(headers['user-agent']).toMatch(
      /^aws-sdk-js\/3 .*api\/secrets-manager#3 exec-env\/AWS_Lambda_nodejs24\.x app\/shop$/,
    );
  });

  it.each(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('need %s', async (missing) => {
    for (const [name, value] of Object.entries(environment))
      vi.stubEnv(name, name === missing ? undefined : value);
    await expect(get(lean, {})).rejects.toThrow(new RegExp(`${missing} .*not in the environment`));
  });
});

/** What a service responds with for each error that the whole SDK knows. */
const errorsOf = (namespace: string): Scripted[] =>
  Object.values(whole).flatMap((schema: unknown) => {
    if (!Array.isArray(schema) || schema[0] !== -3 || schema[1] !== namespace) return [];
    const [, , name, { httpError, error, awsQueryError }] = schema;
    const response = failed(httpError ?? (error === 'server' ? 500 : 400), `${namespace}#${name}`);
    const legacy = { 'x-amzn-query-error': `${awsQueryError?.[0] ?? name};Sender` };
    return namespace.endsWith('sqs') ? { ...response, headers: legacy } : response;
  });

/** One of each partition, with both kinds of the one that the rules for DynamoDB split, and one of the future. */
const regions = [
  ...['us-east-1', 'mx-central-1', 'cn-northwest-1', 'us-gov-west-1', 'us-gov-east-1', 'eusc-de-east-1'],
  ...['us-iso-west-1', 'us-isob-east-1', 'us-isof-south-1', 'eu-isoe-west-1', 'xx-new-1'],
];
const places = regions.flatMap((region) =>
  [false, true].flatMap((useFipsEndpoint) =>
    [false, true].map((useDualstackEndpoint) => ({ region, useFipsEndpoint, useDualstackEndpoint })),
  ),
);

describe('the address of a service', () => {
  it.each(clients)(
    'is the one of the whole %s, with FIPS and dual stack, in every partition',
    async (client) => {
      const [call] = { ...usual, SQSClient: [list] }[client];
      const find = (sdk: bundled.Sdk) => Promise.all(places.map((place) => addressOf(call, sdk, place)));
      const addresses = await find(lean);
      expect(addresses.filter((address) => !address.startsWith('https:'))).toEqual([]);
      expect(addresses).toEqual(await find(whole));
    },
  );

  const region = { region: 'us-east-1' };
  const url = { AWS_ENDPOINT_URL: 'http://127.0.0.1', AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.2' };
  const [fips, dual] = [{ AWS_USE_FIPS_ENDPOINT: 'true' }, { AWS_USE_DUALSTACK_ENDPOINT: 'true' }];
  it.each<[address: string, bundled.Call, Readonly<Record<string, string>>, options?: object]>([
    ['https://sqs-fips.us-east-1.amazonaws.com/', list, fips],
    ['https://sqs-fips.us-east-1.api.aws/', list, { ...fips, ...dual }],
    ['http://127.0.0.1/', list, url],
    ['http://127.0.0.2/', secret, url],
    ['http://127.0.0.3/', list, url, { endpoint: 'http://127.0.0.3' }],
    ['https://sqs.us-east-1.amazonaws.com/', list, { ...url, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }],
    ['Invalid Configuration: FIPS and custom endpoint are not supported', list, { ...url, ...fips }],
    ['Invalid Configuration: Dualstack and custom endpoint are not supported', list, { ...url, ...dual }],
    ['https://sqs.eu-central-1.amazonaws.com/', attributes, url],
    // As in the configuration of another client.
    ['https://sqs.eu-west-1.amazonaws.com/', list, {}, { region: async () => 'eu-west-1' }],
  ])('is %s, as of the whole SDK (%#)', async (address, call, environment, options = {}) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    for (const sdk of [lean, whole])
      expect(await addressOf(call, sdk, { ...region, ...options })).toBe(address);
  });
});
