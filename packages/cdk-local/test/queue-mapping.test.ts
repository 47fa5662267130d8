import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credentials, region } from '../src/account.ts';
import { type SqsEmulator, startSqs } from '../src/emulators/sqs.ts';
import { failedItems } from '../src/event-source-mapping/failed-items.ts';
import { type Mapping, startQueueMapping } from '../src/event-source-mapping/queue-mapping.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { MappingModel } from '../src/template/model.ts';

const success: Invocation = { ok: true, payload: 'null' };
const failuresOf = (...ids: string[]): Invocation => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});

describe('the messages that stay', () => {
  const verdict = (invocation: Invocation, reportsItemFailures = true): string[] => [
    ...failedItems(invocation, { ids: ['a', 'b', 'c'], reportsItemFailures }),
  ];
  const answering = (payload: string, reportsItemFailures = true): string[] =>
    verdict({ ok: true, payload }, reportsItemFailures);
  const thrown: Invocation = { ok: false, errorType: 'Error', errorMessage: 'x' };

  it.each([
    'null',
    '{}',
    '{"batchItemFailures":null}',
    '{"batchItemFailures":[]}',
    '{"failures":[{"id":"a"}]}',
  ])('are none for the answer %s', (payload) => {
    expect(answering(payload)).toEqual([]);
  });

  it('are those that the function names', () => {
    expect(answering('{"batchItemFailures":[{"itemIdentifier":"b"},{"itemIdentifier":"b"}]}')).toEqual(['b']);
  });

  it.each([
    '{"batchItemFailures":[{"itemIdentifier":""}]}',
    '{"batchItemFailures":[{"itemIdentifier":null}]}',
    '{"batchItemFailures":[{"itemIdentifier":"a"},{"itemIdentifier":"unknown"}]}',
    '{"batchItemFailures":[{"itemId":"a"}]}',
    '{"batchItemFailures":["a"]}',
    '{"batchItemFailures":"a"}',
    '"a text"',
  ])('are all for the answer %s', (payload) => {
    expect(answering(payload)).toEqual(['a', 'b', 'c']);
  });

  it('are all when the function fails', () => {
    expect(verdict(thrown)).toEqual(['a', 'b', 'c']);
    expect(verdict(thrown, false)).toEqual(['a', 'b', 'c']);
  });

  it('are none for whatever the function answers when the mapping does not read it', () => {
    expect(answering('{"batchItemFailures":[{"itemIdentifier":"b"}]}', false)).toEqual([]);
  });
});

describe('a mapping', () => {
  let emulator: SqsEmulator;
  let sqs: SQSClient;
  let running: Mapping | undefined;
  let count = 0;
  beforeAll(async () => {
    emulator = await startSqs();
    sqs = new SQSClient({ endpoint: emulator.endpoint, region, credentials });
  });
  afterEach(async () => {
    const stopped = running?.stop();
    emulator.endPolls();
    await stopped;
    running = undefined;
  });
  afterAll(async () => {
    sqs.destroy();
    await emulator.close();
  });

  async function createQueue(
    Attributes: Record<string, string> = { VisibilityTimeout: '1' },
  ): Promise<string> {
    count += 1;
    const { QueueUrl = '' } = await sqs.send(
      new CreateQueueCommand({ QueueName: `queue-${count}`, Attributes }),
    );
    return QueueUrl;
  }

  async function sendBatch(QueueUrl: string, bodies: readonly string[]): Promise<void> {
    const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }

  async function counts(QueueUrl: string): Promise<{ ready: number; inFlight: number }> {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    return {
      ready: Number(Attributes?.ApproximateNumberOfMessages),
      inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
    };
  }

  function start(
    queueUrl: string,
    invoke: (event: SQSEvent) => Promise<Invocation>,
    changes: Partial<MappingModel> = {},
  ): string[] {
    const faults: string[] = [];
    const model: MappingModel = {
      name: 'Mapping',
      queueArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
      functionName: 'Worker',
      batchRecordsMax: 10,
      windowSeconds: 0,
      reportsItemFailures: true,
      ...changes,
    };
    running = startQueueMapping({
      model,
      sqs,
      queueUrl,
      invoke: (event) => invoke(event as SQSEvent),
      onFault: (sentence) => faults.push(sentence),
    });
    return faults;
  }

  it('hands over the event that Lambda makes', async () => {
    const QueueUrl = await createQueue();
    const events: SQSEvent[] = [];
    start(QueueUrl, async (event) => {
      events.push(event);
      return success;
    });
    const { MessageId } = await sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'aGVsbG8=',
        MessageAttributes: {
          mode: { DataType: 'String', StringValue: 'live' },
          bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
        },
      }),
    );
    await expect.poll(() => events).toHaveLength(1);
    expect(events).toEqual([
      {
        Records: [
          {
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
              mode: { dataType: 'String', stringValue: 'live', stringListValues: [], binaryListValues: [] },
              bytes: { dataType: 'Binary', binaryValue: 'AP8=', stringListValues: [], binaryListValues: [] },
            },
            md5OfBody: '0733351879b2fa9bd05c7ca3061529c0',
            md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
            eventSource: 'aws:sqs',
            eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
            awsRegion: 'us-east-1',
          },
        ],
      },
    ]);
    await expect.poll(() => counts(QueueUrl)).toEqual({ ready: 0, inFlight: 0 });
  });

  it('takes no more than a batch at a time', async () => {
    const QueueUrl = await createQueue();
    await sendBatch(QueueUrl, ['1', '2', '3', '4', '5', '6', '7']);
    const sizes: number[] = [];
    start(
      QueueUrl,
      async (event) => {
        sizes.push(event.Records.length);
        return success;
      },
      { batchRecordsMax: 3, concurrencyMax: 1 },
    );
    await expect.poll(() => sizes).toEqual([3, 3, 1]);
  });

  it('collects what arrives within its window', async () => {
    const QueueUrl = await createQueue({ VisibilityTimeout: '30' });
    const sizes: number[] = [];
    start(
      QueueUrl,
      async (event) => {
        sizes.push(event.Records.length);
        return success;
      },
      { batchRecordsMax: 25, windowSeconds: 1, concurrencyMax: 1 },
    );
    for (let batch = 0; batch < 3; batch += 1) {
      await sendBatch(QueueUrl, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    }
    await expect.poll(() => sizes, { timeout: 4_000 }).toEqual([25, 5]);
  });

  it('brings back only what failed, when its visibility timeout ends, with its receive count', async () => {
    const QueueUrl = await createQueue();
    await sendBatch(QueueUrl, ['good', 'bad']);
    const seen: [string, string, number][] = [];
    const since = performance.now();
    start(QueueUrl, async ({ Records }) => {
      const now = performance.now() - since;
      for (const { body, attributes } of Records) seen.push([body, attributes.ApproximateReceiveCount, now]);
      const again = Records.filter(
        ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
      );
      return failuresOf(...again.map(({ messageId }) => messageId));
    });
    await expect
      .poll(() => seen.map(([body, receives]) => [body, receives]), { timeout: 4_000 })
      .toEqual([
        ['good', '1'],
        ['bad', '1'],
        ['bad', '2'],
      ]);
    expect(seen[2]?.[2]).toBeGreaterThan(990);
    await expect.poll(() => counts(QueueUrl)).toEqual({ ready: 0, inFlight: 0 });
  });

  it('leaves a poisonous message to the dead-letter queue after its receives', async () => {
    const dead = await createQueue();
    const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:queue-${count}`;
    const QueueUrl = await createQueue({
      VisibilityTimeout: '0',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }),
    });
    let receives = 0;
    start(QueueUrl, async ({ Records }) => {
      receives += Records.length;
      return { ok: false, errorType: 'Error', errorMessage: 'never' };
    });
    await sendBatch(QueueUrl, ['poison']);
    await expect.poll(() => counts(dead)).toEqual({ ready: 1, inFlight: 0 });
    expect(receives).toBe(3);
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: dead }));
    expect(Messages?.[0]?.Body).toBe('poison');
  });

  it('runs no more batches at one time than its concurrency', async () => {
    const QueueUrl = await createQueue({ VisibilityTimeout: '30' });
    await sendBatch(QueueUrl, ['1', '2', '3', '4', '5', '6']);
    let now = 0;
    let most = 0;
    let done = 0;
    start(
      QueueUrl,
      async () => {
        now += 1;
        most = Math.max(most, now);
        await pause(30);
        now -= 1;
        done += 1;
        return success;
      },
      { batchRecordsMax: 1, concurrencyMax: 2 },
    );
    await expect.poll(() => done).toBe(6);
    expect(most).toBe(2);
  });

  it('has handled what it received when it has stopped', async () => {
    const QueueUrl = await createQueue({ VisibilityTimeout: '30' });
    const began = Promise.withResolvers<void>();
    start(QueueUrl, async () => {
      began.resolve();
      await pause(100);
      return success;
    });
    await sendBatch(QueueUrl, ['1']);
    await began.promise;
    const stopped = running?.stop();
    emulator.endPolls();
    await stopped;
    expect(await counts(QueueUrl)).toEqual({ ready: 0, inFlight: 0 });
  });

  it('says that its queue is gone, and goes on when it is back', async () => {
    const QueueUrl = `${emulator.endpoint}/000000000000/queue-${count + 1}`;
    const bodies: string[] = [];
    const faults = start(QueueUrl, async ({ Records }) => {
      bodies.push(...Records.map(({ body }) => body));
      return success;
    });
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    expect(faults[0]).toBe(
      'Mapping cannot use its queue: QueueDoesNotExist: The specified queue does not exist.',
    );
    await createQueue();
    await sendBatch(QueueUrl, ['after']);
    await expect.poll(() => bodies, { timeout: 6_000 }).toEqual(['after']);
  });
});
