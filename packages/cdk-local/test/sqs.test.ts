import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  InvalidMessageContents,
  ListMessageMoveTasksCommand,
  type Message,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../src/account.ts';
import { type SqsEmulator, startSqs } from '../src/emulators/sqs.ts';

let emulator: SqsEmulator;
let client: SQSClient;
let count = 0;

function createClient({ endpoint }: SqsEmulator): SQSClient {
  return new SQSClient({ endpoint, region, credentials, maxAttempts: 1 });
}

beforeAll(async () => {
  emulator = await startSqs();
  client = createClient(emulator);
});
afterAll(async () => {
  client.destroy();
  await emulator.close();
});

async function createQueue(Attributes: Record<string, string> = {}): Promise<string> {
  count += 1;
  const { QueueUrl = '' } = await client.send(
    new CreateQueueCommand({ QueueName: `queue-${count}`, Attributes }),
  );
  return QueueUrl;
}

async function createPair(receives: number): Promise<{ source: string; dead: string; deadArn: string }> {
  const dead = await createQueue();
  const deadArn = `arn:aws:sqs:us-east-1:000000000000:queue-${count}`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: receives });
  return { source: await createQueue({ RedrivePolicy, VisibilityTimeout: '0' }), dead, deadArn };
}

const send = (QueueUrl: string, MessageBody: string, by = client): Promise<unknown> =>
  by.send(new SendMessageCommand({ QueueUrl, MessageBody }));

async function receive(QueueUrl: string, by = client): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
  });
  return (await by.send(command)).Messages ?? [];
}

describe('a queue', () => {
  it('has a URL on the loopback address that the emulator listens on', async () => {
    expect(await createQueue()).toBe(`${emulator.endpoint}/000000000000/queue-${count}`);
    expect(emulator.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('takes every XML character, also beyond the first plane, and refuses the others', async () => {
    const queue = await createQueue();
    await send(queue, 'tab\t line\n 😀 \u{10FFFF} \uFFFD');
    expect((await receive(queue))[0]?.Body).toBe('tab\t line\n 😀 \u{10FFFF} \uFFFD');
    for (const bad of ['\u0000', '\u001F', '\uFFFE', '\uFFFF']) {
      await expect(send(queue, `x${bad}`)).rejects.toBeInstanceOf(InvalidMessageContents);
    }
  });

  it('names its errors as the SDK knows them', async () => {
    const missing = client.send(new GetQueueUrlCommand({ QueueName: 'nowhere' }));
    await expect(missing).rejects.toBeInstanceOf(QueueDoesNotExist);
    const QueueUrl = await createQueue();
    const Entries = Array.from({ length: 11 }, (_, index) => ({ Id: `${index}`, MessageBody: 'x' }));
    const batch = client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(batch).rejects.toBeInstanceOf(TooManyEntriesInBatchRequest);
  });

  it('answers a waiting receive as soon as polls are ended', async () => {
    const QueueUrl = await createQueue();
    const since = performance.now();
    const waiting = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    const ending = setInterval(() => emulator.endPolls(), 20);
    expect((await waiting).Messages).toBeUndefined();
    clearInterval(ending);
    expect(performance.now() - since).toBeLessThan(5_000);
  });
});

describe('a dead letter', () => {
  it('moves after its receives, and a move task brings it back as a new message', async () => {
    const { source, dead, deadArn } = await createPair(2);
    await send(source, 'poison');
    expect((await receive(source))[0]?.Attributes?.ApproximateReceiveCount).toBe('1');
    expect((await receive(source))[0]?.Attributes?.ApproximateReceiveCount).toBe('2');
    expect(await receive(source)).toEqual([]);

    const task = await client.send(new StartMessageMoveTaskCommand({ SourceArn: deadArn }));
    expect(task.TaskHandle).toMatch(/^[0-9a-f-]{36}$/);
    const [back] = await receive(source);
    expect(back).toMatchObject({ Body: 'poison', Attributes: { ApproximateReceiveCount: '1' } });
    expect(await receive(dead)).toEqual([]);
    const { Results } = await client.send(new ListMessageMoveTasksCommand({ SourceArn: deadArn }));
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
  });

  it('is not moved out of a queue that is nobody’s dead-letter queue', async () => {
    await createQueue();
    const SourceArn = `arn:aws:sqs:us-east-1:000000000000:queue-${count}`;
    await expect(client.send(new StartMessageMoveTaskCommand({ SourceArn }))).rejects.toMatchObject({
      name: 'UnsupportedOperation',
    });
  });
});

describe('a queue that is kept', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is reached at the new address, with its messages and their receive counts, also those in flight', async () => {
    const first = await startSqs(directory);
    const before = createClient(first);
    const Attributes = { VisibilityTimeout: '600' };
    const { QueueUrl = '' } = await before.send(new CreateQueueCommand({ QueueName: 'kept', Attributes }));
    await send(QueueUrl, 'in flight', before);
    await receive(QueueUrl, before);
    await send(QueueUrl, 'ready', before);
    before.destroy();
    await first.close();

    const second = await startSqs(directory);
    const after = createClient(second);
    const found = await after.send(new GetQueueUrlCommand({ QueueName: 'kept' }));
    expect(found.QueueUrl).toBe(`${second.endpoint}/000000000000/kept`);
    const messages = await receive(`${second.endpoint}/000000000000/kept`, after);
    after.destroy();
    await second.close();
    const counts = messages.map(({ Body, Attributes: told }) => [Body, told?.ApproximateReceiveCount]);
    expect(counts.toSorted()).toEqual([
      ['in flight', '2'],
      ['ready', '1'],
    ]);
  });
});
