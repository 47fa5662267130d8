import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { startEventBridge } from '../src/emulators/event-bridge.ts';
import { type FaultKind, faultAt, faultKinds } from '../src/emulators/fault-kinds.ts';
import type { MetFault } from '../src/emulators/faulty-server.ts';
import { startSecretsManager } from '../src/emulators/secrets-manager.ts';
import { startSqs } from '../src/emulators/sqs.ts';
import { clientSettings, connect } from './harness.ts';

const attemptMilliseconds = 30_000;

/** A table whose client makes up to three attempts. */
async function openTable() {
  const emulator = await startDynamoDb();
  const { client: admin } = connect(emulator, DynamoDB);
  const requestHandler = { requestTimeout: attemptMilliseconds, throwOnRequestTimeout: true };
  const client = new DynamoDB({ ...clientSettings(emulator.endpoint), maxAttempts: 3, requestHandler });
  onTestFinished(() => client.destroy());
  await admin.createTable({
    TableName: 'Table',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  const status = async () => (await admin.describeTable({ TableName: 'Table' })).Table?.TableStatus;
  await expect.poll(status).toBe('ACTIVE');
  const Key = { id: { S: 'row' } };
  const isStored = async () => (await admin.getItem({ TableName: 'Table', Key })).Item !== undefined;
  return {
    ...{ emulator, client, admin, isStored },
    /** What the SDK returns or throws, after how many attempts, and whether the row is stored. */
    async putOnce(): Promise<readonly [sees: string, attempts: number, stored: boolean]> {
      const put = { TableName: 'Table', Item: Key, ConditionExpression: 'attribute_not_exists(id)' };
      const outcome = await client.putItem(put).then(
        ({ $metadata }) => ['success', $metadata.attempts ?? 0] as const,
        (error) => [error.name as string, (error.$metadata?.attempts as number) ?? 0] as const,
      );
      return [...outcome, await isStored()];
    },
  };
}

async function openQueue() {
  const emulator = await startSqs();
  const { client } = connect(emulator, SQS);
  const { QueueUrl = '' } = await client.createQueue({ QueueName: 'Events' });
  return {
    ...{ emulator, client, QueueUrl },
    send: (MessageBody: string) => client.sendMessage({ QueueUrl, MessageBody }),
    async bodies(): Promise<(string | undefined)[]> {
      const { Messages = [] } = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      return Messages.map(({ Body }) => Body).sort();
    },
  };
}

describe('a simulated fault', () => {
  it('of SQS refuses the named operation until it ends, and no other', async () => {
    const { emulator, send, bodies } = await openQueue();
    const end = emulator.fail({ operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' });
    await expect(send('one')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(await bodies()).toEqual([]);
    end();
    await send('one');
    expect(await bodies()).toEqual(['one']);
  });

  it('of DynamoDB refuses every operation when it names none', async () => {
    const emulator = await startDynamoDb();
    const { client } = connect(emulator, DynamoDB);
    const end = emulator.fail({ status: 500, code: 'InternalServerError' });
    await expect(client.listTables()).rejects.toMatchObject({ name: 'InternalServerError' });
    end();
    expect((await client.listTables()).TableNames).toEqual([]);
  });

  it('of Secrets Manager reaches the SDK as the exception of its code', async () => {
    const emulator = await startSecretsManager();
    const { client } = connect(emulator, SecretsManager);
    await client.createSecret({ Name: 'Keys', SecretString: 'value' });
    const end = emulator.fail({ status: 400, code: 'AccessDeniedException' });
    const read = () => client.getSecretValue({ SecretId: 'Keys' });
    await expect(read()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    end();
    expect(await read()).toMatchObject({ SecretString: 'value' });
  });
});

const lost = 'ConditionalCheckFailedException';
/** Of a conditional PutItem: what the SDK returns or throws, after how many attempts, and whether it is stored. */
const puts = {
  throttle: [
    ['success', 2, true],
    ['ProvisionedThroughputExceededException', 3, false],
  ],
  'error-500': [
    ['success', 2, true],
    ['InternalServerError', 3, false],
  ],
  'error-503': [
    ['success', 2, true],
    ['ServiceUnavailable', 3, false],
  ],
  'reset-before': [
    ['success', 2, true],
    ['TimeoutError', 3, false],
  ],
  'reset-after': [
    [lost, 2, true],
    ['TimeoutError', 3, true],
  ],
  timeout: [
    [lost, 2, true],
    ['TimeoutError', 3, true],
  ],
  slow: [
    ['success', 1, true],
    ['success', 1, true],
  ],
  partial: [
    ['success', 1, true],
    ['success', 1, true],
  ],
  // The SDK does not try again after a response that it cannot read.
  malformed: [
    ['SyntaxError', 1, true],
    ['SyntaxError', 1, true],
  ],
  repeated: [
    [lost, 1, true],
    [lost, 1, true],
  ],
} as const;

describe('the SDK, whose conditional write meets', () => {
  // Its pause before a further attempt is a random part of a second or two.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

  async function put(kind: FaultKind, calls?: readonly number[]) {
    const { emulator, putOnce, isStored } = await openTable();
    /** The time of an attempt is up once it is carried out. */
    async function endTime(): Promise<void> {
      await expect.poll(isStored).toBe(true);
      vi.advanceTimersByTime(attemptMilliseconds);
    }
    const isSilent = kind === 'timeout';
    if (isSilent) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const onFault = () => void (isSilent && endTime());
    emulator.fail({ operations: ['PutItem'], kind, slowMilliseconds: 10, onFault, ...(calls && { calls }) });
    return putOnce();
  }

  it.each(faultKinds)('%s once', async (kind) => {
    expect(await put(kind, [1])).toEqual(puts[kind][0]);
  });

  it.each(faultKinds)('%s at every attempt', async (kind) => {
    expect(await put(kind)).toEqual(puts[kind][1]);
  });
});

describe('a batch that is carried out in part', () => {
  it('of DynamoDB returns every second key as unprocessed', async () => {
    const { emulator, client, admin } = await openTable();
    const keys = ['a', 'b', 'c'].map((S) => ({ id: { S } }));
    for (const Item of keys) await admin.putItem({ TableName: 'Table', Item });
    const read = (Keys: typeof keys) => client.batchGetItem({ RequestItems: { Table: { Keys } } });
    emulator.fail({ kind: 'partial' });
    expect(await read(keys)).toMatchObject({
      Responses: { Table: [{ id: { S: 'b' } }] },
      UnprocessedKeys: { Table: { Keys: [{ id: { S: 'a' } }, { id: { S: 'c' } }] } },
    });
    expect(await read(keys.slice(2))).toMatchObject({
      Responses: {},
      UnprocessedKeys: { Table: { Keys: [{ id: { S: 'c' } }] } },
    });
  });

  it('of DynamoDB writes every second item and returns the others', async () => {
    const { emulator, client, admin } = await openTable();
    const items = ['a', 'b'].map((S) => ({ PutRequest: { Item: { id: { S } } } }));
    emulator.fail({ kind: 'partial', operations: ['BatchWriteItem'] });
    expect(await client.batchWriteItem({ RequestItems: { Table: items } })).toMatchObject({
      UnprocessedItems: { Table: [items[0]] },
    });
    expect((await admin.scan({ TableName: 'Table' })).Items).toEqual([{ id: { S: 'b' } }]);
  });

  it('of EventBridge publishes every second event and counts the others as failed', async () => {
    const emulator = await startEventBridge();
    const { client } = connect(emulator, EventBridge);
    emulator.fail({ kind: 'partial' });
    const entry = { Source: 'test', DetailType: 'Test' };
    const put = (...details: string[]) =>
      client.putEvents({ Entries: details.map((Detail) => ({ ...entry, Detail })) });
    expect(await put('{"n":1}', '{"n":2}', '{"n":3}')).toMatchObject({
      FailedEntryCount: 2,
      Entries: [
        { ErrorCode: 'InternalFailure' },
        { EventId: expect.any(String) },
        { ErrorCode: 'InternalFailure' },
      ],
    });
    expect(await put('{"n":4}')).toMatchObject({ FailedEntryCount: 1 });
    expect(emulator.events.after(0, 10).map(({ text }) => JSON.parse(text).detail)).toEqual([{ n: 2 }]);
  });

  it('of SQS sends every second message and names the others', async () => {
    const { emulator, client, QueueUrl, bodies } = await openQueue();
    emulator.fail({ kind: 'partial', operations: ['SendMessageBatch'] });
    const Entries = ['a', 'b', 'c'].map((Id) => ({ Id, MessageBody: Id }));
    expect(await client.sendMessageBatch({ QueueUrl, Entries })).toMatchObject({
      Successful: [{ Id: 'b' }],
      Failed: [
        { Id: 'a', SenderFault: false },
        { Id: 'c', SenderFault: false },
      ],
    });
    expect(await bodies()).toEqual(['b']);
  });
});

describe('faults of a seed', () => {
  const seeded = { rate: 0.3, kinds: ['error-503', 'reset-before', 'repeated'] } as const;
  async function run(seed: number) {
    const { emulator, send, bodies } = await openQueue();
    const met: MetFault[] = [];
    emulator.fail({ ...seeded, seed, operations: ['SendMessage'], onFault: (one) => met.push(one) });
    const lostBodies: string[] = [];
    for (const body of '0123456789') await send(body).catch(() => lostBodies.push(body));
    return { met, stored: await bodies(), lostBodies };
  }

  it('are the same in every run of it, and others under another seed', async () => {
    const [one, again, other] = await Promise.all([run(7), run(7), run(8)]);
    expect(one.met.length).toBeGreaterThan(0);
    expect(again).toEqual(one);
    expect(other.met).not.toEqual(one.met);
  });

  it('do not depend on the requests of other operations', () => {
    const calls = Array.from({ length: 40 }, (_, index) => index + 1);
    const chosen = calls.map((call) => faultAt({ ...seeded, seed: 7 }, 'SendMessage', call));
    expect(calls.map((call) => faultAt({ ...seeded, seed: 7 }, 'PutItem', call))).not.toEqual(chosen);
    expect(chosen).toContain(undefined);
  });

  it('meet the share of requests that they name, and every kind alike', () => {
    const calls = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const met = calls.flatMap((call) => faultAt({ seed: 1, rate: 0.2 }, 'PutItem', call) ?? []);
    expect(Math.abs(met.length - 2_000)).toBeLessThan(200);
    for (const kind of faultKinds) {
      expect(Math.abs(met.filter((one) => one === kind).length - 200)).toBeLessThan(60);
    }
  });
});
