import { setTimeout as pause } from 'node:timers/promises';
import { SQS } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SqsEmulator, startSqs } from '../src/emulators/sqs.ts';
import { failedItems } from '../src/event-source-mapping/failed-items.ts';
import { startQueueMapping } from '../src/event-source-mapping/queue-mapping.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { MappingModel } from '../src/template/invocations.ts';
import { clientSettings, failing, success, thrown } from './harness.ts';

describe('the failed items of a batch', () => {
  const all = ['a', 'b', 'c'];
  const failed = (invocation: Invocation): string[] => [
    ...failedItems(invocation, { ids: all, reportsItemFailures: true }),
  ];

  it.each([
    ['null', []],
    ['{}', []],
    ['{"batchItemFailures":null}', []],
    ['{"batchItemFailures":[]}', []],
    ['{"failures":[{"id":"a"}]}', []],
    ['{"batchItemFailures":[{"itemIdentifier":"b"},{"itemIdentifier":"b"}]}', ['b']],
    ['{"batchItemFailures":[{"itemIdentifier":""}]}', all],
    ['{"batchItemFailures":[{"itemIdentifier":null}]}', all],
    ['{"batchItemFailures":[{"itemIdentifier":"a"},{"itemIdentifier":"unknown"}]}', all],
    ['{"batchItemFailures":[{"itemId":"a"}]}', all],
    ['{"batchItemFailures":["a"]}', all],
    ['{"batchItemFailures":"a"}', all],
    ['"a text"', all],
  ])('of the response %s are %j', (payload, expected) => {
    expect(failed({ ok: true, payload })).toEqual(expected);
  });

  it('of a function that throws are all', () => {
    expect(failed(thrown)).toEqual(all);
  });
});

describe('the mapping of a queue', () => {
  let emulator: SqsEmulator;
  let sqs: SQS;
  let queues = 0;
  beforeAll(async () => {
    emulator = await startSqs();
    sqs = new SQS(clientSettings(emulator.endpoint));
  });
  afterAll(async () => {
    sqs.destroy();
    await emulator.close();
  });

  async function createQueue(Attributes: Record<string, string> = { VisibilityTimeout: '30' }) {
    queues += 1;
    return (await sqs.createQueue({ QueueName: `queue-${queues}`, Attributes })).QueueUrl ?? '';
  }

  async function send(QueueUrl: string, ...bodies: string[]): Promise<void> {
    const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    await sqs.sendMessageBatch({ QueueUrl, Entries });
  }

  /** Messages that are ready, and in flight. */
  async function counts(QueueUrl: string): Promise<[number, number]> {
    const { Attributes = {} } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes;
    return [Number(ApproximateNumberOfMessages), Number(ApproximateNumberOfMessagesNotVisible)];
  }

  type Handle = (records: SQSEvent['Records']) => Invocation | Promise<Invocation>;

  function start(queueUrl: string, handle: Handle, changes: Partial<MappingModel> = {}) {
    const events: SQSEvent[] = [];
    const model: MappingModel = {
      name: 'Mapping',
      enabled: true,
      queueArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
      functionName: 'Worker',
      batchRecordsMax: 10,
      reportsItemFailures: true,
      ...changes,
    };
    const invoke = async (event: unknown): Promise<Invocation> => {
      events.push(event as SQSEvent);
      return handle((event as SQSEvent).Records);
    };
    const onFault = (sentence: string) => expect.unreachable(sentence);
    const { endPolls } = emulator;
    const { stop } = startQueueMapping({ model, sqs, queueUrl, invoke, endPolls, onFault });
    onTestFinished(stop);
    return { events, stop, sizes: () => events.map(({ Records }) => Records.length) };
  }

  it('passes on the event that Lambda makes', async () => {
    const QueueUrl = await createQueue();
    const { events } = start(QueueUrl, () => success);
    const MessageAttributes = {
      mode: { DataType: 'String', StringValue: 'live' },
      bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
    };
    const message = { QueueUrl, MessageBody: 'aGVsbG8=', MessageAttributes };
    const { MessageId } = await sqs.sendMessage(message);
    await expect.poll(() => events).toHaveLength(1);
    const lists = { stringListValues: [], binaryListValues: [] };
    const record = {
      messageId: MessageId,
      receiptHandle: expect.stringMatching(/./),
      body: 'aGVsbG8=',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        mode: { dataType: 'String', stringValue: 'live', ...lists },
        bytes: { dataType: 'Binary', binaryValue: 'AP8=', ...lists },
      },
      md5OfBody: '0733351879b2fa9bd05c7ca3061529c0',
      md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
      awsRegion: 'us-east-1',
    };
    expect(events).toEqual([{ Records: [record] }]);
    await expect.poll(() => counts(QueueUrl)).toEqual([0, 0]);
  });

  it('retries only what failed, after its visibility timeout, with its receive count', async () => {
    const begin = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(begin);
    const QueueUrl = await createQueue({ VisibilityTimeout: '30' });
    await send(QueueUrl, 'good', 'bad');
    const seen: string[] = [];
    start(QueueUrl, (records) => {
      for (const { body, attributes } of records) seen.push(`${body} ${attributes.ApproximateReceiveCount}`);
      const isBad = ({ body, attributes }: (typeof records)[number]): boolean =>
        body === 'bad' && attributes.ApproximateReceiveCount === '1';
      return failing(...records.filter(isBad).map(({ messageId }) => messageId));
    });
    await expect.poll(() => counts(QueueUrl)).toEqual([0, 1]);
    clock.mockReturnValue(begin + 29_999);
    await pause(50);
    expect(seen).toEqual(['good 1', 'bad 1']);
    clock.mockReturnValue(begin + 30_000);
    await expect.poll(() => seen).toEqual(['good 1', 'bad 1', 'bad 2']);
    await expect.poll(() => counts(QueueUrl)).toEqual([0, 0]);
  });

  it('runs no more batches at a time than its concurrency', async () => {
    const QueueUrl = await createQueue();
    await send(QueueUrl, '1', '2', '3', '4', '5', '6');
    const running: number[] = [];
    let now = 0;
    const two = Promise.withResolvers<void>();
    const handle = async (): Promise<Invocation> => {
      now += 1;
      running.push(now);
      if (now === 2) two.resolve();
      await two.promise;
      // Time for a third one.
      await pause(30);
      now -= 1;
      return success;
    };
    const { sizes } = start(QueueUrl, handle, { batchRecordsMax: 1, concurrencyMax: 2 });
    await expect.poll(sizes).toHaveLength(6);
    expect(Math.max(...running)).toBe(2);
  });
});
