import {
  InvalidMessageContents,
  type Message,
  QueueDoesNotExist,
  SQS,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { startSqs } from '../src/emulators/sqs.ts';
import { connect, temporaryDirectory } from './harness.ts';

const arn = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

async function start(directory?: string) {
  const emulator = await startSqs(directory);
  const { client, stop } = connect(emulator, SQS);
  return {
    ...{ emulator, client, stop },
    async create(QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
      const { QueueUrl = '' } = await client.createQueue({ QueueName, Attributes });
      return QueueUrl;
    },
    send: (QueueUrl: string, MessageBody: string): Promise<unknown> =>
      client.sendMessage({ QueueUrl, MessageBody }),
    async receive(QueueUrl: string): Promise<Message[]> {
      const all = { MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
      return (await client.receiveMessage({ QueueUrl, ...all })).Messages ?? [];
    },
  };
}

describe('the SQS emulator', () => {
  it('accepts every XML character, even beyond the first plane, and refuses all others', async () => {
    const { create, send, receive } = await start();
    const queue = await create('queue');
    await send(queue, 'tab\t line\n 😀 \u{10FFFF} \uFFFD');
    expect((await receive(queue))[0]?.Body).toBe('tab\t line\n 😀 \u{10FFFF} \uFFFD');
    for (const bad of ['\u0000', '\u001F', '\uFFFE', '\uFFFF']) {
      await expect(send(queue, `x${bad}`)).rejects.toBeInstanceOf(InvalidMessageContents);
    }
  });

  it('refuses the operation of a fault until it ends, and no other', async () => {
    const { emulator, create, send, receive } = await start();
    const queue = await create('queue');
    const end = emulator.fail({ operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' });
    await expect(send(queue, 'one')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(await receive(queue)).toEqual([]);
    end();
    await send(queue, 'one');
    expect((await receive(queue))[0]?.Body).toBe('one');
  });

  it('names its errors so that the SDK recognises them', async () => {
    const { client, create } = await start();
    const missing = client.getQueueUrl({ QueueName: 'nowhere' });
    await expect(missing).rejects.toBeInstanceOf(QueueDoesNotExist);
    const QueueUrl = await create('queue');
    const Entries = Array.from({ length: 11 }, (_, index) => ({ Id: `${index}`, MessageBody: 'x' }));
    const batch = client.sendMessageBatch({ QueueUrl, Entries });
    await expect(batch).rejects.toBeInstanceOf(TooManyEntriesInBatchRequest);
  });

  it('moves a dead letter after its receives, and a move task returns it as a new message', async () => {
    const { client, create, send, receive } = await start();
    const dead = await create('dead');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: 2 });
    const source = await create('source', { RedrivePolicy, VisibilityTimeout: '0' });
    await send(source, 'poison');
    expect((await receive(source))[0]?.Attributes?.ApproximateReceiveCount).toBe('1');
    expect((await receive(source))[0]?.Attributes?.ApproximateReceiveCount).toBe('2');
    expect(await receive(source)).toEqual([]);

    const SourceArn = arn('dead');
    const task = await client.startMessageMoveTask({ SourceArn });
    expect(task.TaskHandle).toMatch(/^[0-9a-f-]{36}$/);
    const returned = { Body: 'poison', Attributes: { ApproximateReceiveCount: '1' } };
    expect(await receive(source)).toMatchObject([returned]);
    expect(await receive(dead)).toEqual([]);
    const { Results } = await client.listMessageMoveTasks({ SourceArn });
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
  });

  it('makes a kept message visible again at once, with its receives', async () => {
    const { client, create, send, receive } = await start(await temporaryDirectory());
    const queue = await create('kept', { VisibilityTimeout: '600' });
    await send(queue, 'one');
    const [{ ReceiptHandle = '' } = {}] = await receive(queue);
    await client.changeMessageVisibility({ QueueUrl: queue, ReceiptHandle, VisibilityTimeout: 0 });
    const [again] = await receive(queue);
    expect([again?.Body, again?.Attributes?.ApproximateReceiveCount]).toEqual(['one', '2']);
  });

  it('keeps messages and receive counts over a restart, and makes those in flight visible', async () => {
    const directory = await temporaryDirectory();
    const first = await start(directory);
    const queue = await first.create('kept', { VisibilityTimeout: '600' });
    await first.send(queue, 'in flight');
    await first.receive(queue);
    await first.send(queue, 'ready');
    await first.stop();

    const second = await start(directory);
    const { QueueUrl = '' } = await second.client.getQueueUrl({ QueueName: 'kept' });
    expect(QueueUrl).toBe(`${second.emulator.endpoint}/000000000000/kept`);
    const messages = await second.receive(QueueUrl);
    const counts = messages.map(({ Body, Attributes }) => [Body, Attributes?.ApproximateReceiveCount]);
    expect(counts.toSorted()).toEqual([
      ['in flight', '2'],
      ['ready', '1'],
    ]);
  });
});
