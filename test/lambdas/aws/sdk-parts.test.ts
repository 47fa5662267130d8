import type { Scripted } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AnyClient,
  addressOf,
  bundleSdk,
  credentials,
  installed,
  observe,
  type Sdk,
} from '../../doubles/bundled-sdk.ts';

let bundle: Awaited<ReturnType<typeof bundleSdk>>;

beforeAll(async () => {
  bundle = await bundleSdk();
});
afterAll(() => bundle.remove());

const commands = [
  ...(['PutItemCommand', 'UpdateItemCommand', 'GetItemCommand', 'QueryCommand', 'ScanCommand'] as const),
  ...(['BatchGetItemCommand', 'SendMessageCommand', 'ChangeMessageVisibilityBatchCommand'] as const),
  ...(['GetQueueAttributesCommand', 'PutEventsCommand', 'GetSecretValueCommand'] as const),
  ...(['PutSecretValueCommand', 'DescribeSecretCommand', 'RotateSecretCommand'] as const),
  ...(['UpdateSecretVersionStageCommand', 'TransactWriteItemsCommand'] as const),
];

const clientNames = ['DynamoDBClient', 'SQSClient', 'SecretsManagerClient', 'EventBridgeClient'] as const;

describe('the clients in the bundles', () => {
  it('are four clients with sixteen commands', () => {
    const names = Object.keys(bundle.sdk).filter((name) => /(Command|Client)$/.test(name));
    expect(names.toSorted()).toEqual([...commands, ...clientNames].toSorted());
  });
});

/** One of each partition; of two, both that differ in the rules for DynamoDB. */
const regions = [
  ...['us-east-1', 'eu-central-1', 'mx-central-1', 'cn-north-1', 'cn-northwest-1', 'us-gov-west-1'],
  ...[
    'us-gov-east-1',
    'eusc-de-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'eu-isoe-west-1',
    'us-isof-south-1',
  ],
];

const command = {
  DynamoDBClient: (sdk: Sdk) => new sdk.GetItemCommand({ TableName: 't', Key: {} }),
  SQSClient: (sdk: Sdk) => new sdk.GetQueueAttributesCommand({ QueueUrl: undefined }),
  SecretsManagerClient: (sdk: Sdk) => new sdk.GetSecretValueCommand({ SecretId: 's' }),
  EventBridgeClient: (sdk: Sdk) => new sdk.PutEventsCommand({ Entries: [] }),
};

describe('the address of a service', () => {
  const find = (sdk: Sdk, name: (typeof clientNames)[number], options: object) =>
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
    const QueueUrl = 'http://queues.example/000000000000/events';
    const to = (sdk: Sdk) =>
      addressOf(
        new sdk.SQSClient({ region: 'us-east-1', credentials }),
        new sdk.GetQueueAttributesCommand({ QueueUrl }),
      );
    expect(await to(bundle.sdk)).toBe('http://queues.example/');
    expect(await to(installed)).toBe('http://queues.example/');
  });

  it('is that of another client for one that is made of its configuration, in whose region it also signs', async () => {
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    const made = (sdk: Sdk) => {
      const { region, requestHandler } = new sdk.DynamoDBClient({ credentials }).config;
      return new sdk.DynamoDBClient({ region, requestHandler, credentials });
    };
    for (const sdk of [bundle.sdk, installed])
      expect(await addressOf(made(sdk), command.DynamoDBClient(sdk))).toBe(
        'https://dynamodb.eu-west-1.amazonaws.com/',
      );
    const { outcome, received } = await observe(
      bundle.sdk,
      (sdk, { endpoint }: { endpoint?: string }) => {
        const { region } = new sdk.DynamoDBClient({ credentials }).config;
        return new sdk.DynamoDBClient({ region, credentials, ...(endpoint && { endpoint }) }).send(
          command.DynamoDBClient(sdk),
        );
      },
      [{ json: {} }],
    );
    expect(outcome).toMatchObject({ $metadata: { httpStatusCode: 200 } });
    expect(received[0]?.headers.authorization).toContain('/eu-west-1/dynamodb/aws4_request');
  });

  it('cannot be found without a region', async () => {
    vi.stubEnv('AWS_REGION', '');
    await expect(
      new bundle.sdk.SQSClient({ credentials }).send(command.SQSClient(bundle.sdk)),
    ).rejects.toThrow('AWS_REGION is not in the environment; Lambda sets it.');
  });
});

const namespaces = {
  DynamoDBClient: 'com.amazonaws.dynamodb',
  SQSClient: 'com.amazonaws.sqs',
  SecretsManagerClient: 'com.amazonaws.secretsmanager',
  EventBridgeClient: 'com.amazonaws.eventbridge',
};

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
      status,
      headers: namespace.endsWith('sqs') ? { 'x-amzn-query-error': `${legacyName};Sender` } : {},
      json: { __type: `${namespace}#${name}`, message: `about ${name}` },
    };
  });

describe.each(clientNames)('an error of %s', (name) => {
  const errors = errorsOf(namespaces[name]);

  it('has the name, the message and the metadata that the installed SDK gives it', async () => {
    expect(errors.length).toBeGreaterThan(10);
    const all = async (sdk: Sdk, options: object) => {
      const client: AnyClient = new sdk[name]({ ...options, maxAttempts: 1 });
      const outcomes: object[] = [];
      for (const _ of errors) {
        const error = await client.send(command[name](sdk) as never).catch((cause: Error) => cause);
        outcomes.push({
          ...(error as object),
          name: (error as Error).name,
          message: (error as Error).message,
        });
      }
      return outcomes;
    };
    const { outcome: ours } = await observe(bundle.sdk, all, errors);
    const { outcome: theirs } = await observe(installed, all, errors);
    // As JSON, without what is undefined.
    expect(JSON.parse(JSON.stringify(ours))).toEqual(JSON.parse(JSON.stringify(theirs)));
  });
});
