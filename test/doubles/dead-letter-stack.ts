import { SQS } from '@aws-sdk/client-sqs';
import { startCloudWatchLogs, startSqs } from '@payhooks/cdk-local/emulators';
import { onTestFinished } from 'vitest';
import { startLocalStack } from './local-stack.ts';
import { notFound } from './operations-server.ts';
import { unsealedMessage } from './sqs-event.ts';

const arn = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface SentLetter {
  readonly body: Uint8Array;
  /** How long ago the verifier received it. */
  readonly secondsAgo?: number;
  /** The URL of the queue; by default the dead-letter queue. */
  readonly queue?: string;
}

export interface DeadLetterStackOptions {
  readonly outputs?: Readonly<Record<string, string>>;
  /** The live events that the operations API has. */
  readonly stored?: readonly string[];
  /** The address of DynamoDB. */
  readonly dynamodb?: string | undefined;
}

/** The part of local mode that commands on its queues use, with a real emulator of them. */
export async function startDeadLetterStack({
  outputs = {},
  stored = [],
  dynamodb,
}: DeadLetterStackOptions = {}) {
  const emulator = await startSqs();
  // An empty queue returns soon, and not after the second of a long poll.
  const ending = setInterval(emulator.endPolls, 20);
  const sqs = new SQS({ endpoint: emulator.endpoint, region: 'us-east-1', credentials });
  const create = async (QueueName: string, Attributes: Record<string, string> = {}) =>
    (await sqs.createQueue({ QueueName, Attributes })).QueueUrl ?? '';
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: 90 });
  const dead = await create('dead');
  const events = await create('events', { RedrivePolicy });
  const logs = await startCloudWatchLogs();
  logs.createGroup({ logGroupName: 'consumer' });
  const { url } = await startLocalStack({
    outputs: {
      ...{ DeadLetterQueueUrl: dead, DeadLetterQueueArn: arn('dead'), EventQueueUrl: events },
      ConsumerLogGroup: 'consumer',
      ...outputs,
    },
    ...{ sqs: emulator.endpoint, logs: logs.endpoint },
    ...(dynamodb && { dynamodb }),
    operations({ route }) {
      const id = stored.find((one) => route === `GET /operations/events/${one}`);
      return id === undefined
        ? notFound('There is no such thing.')
        : { body: { id, mode: 'live', records: [], acts: [] } };
    },
  });
  onTestFinished(async () => {
    clearInterval(ending);
    sqs.destroy();
    await Promise.all([emulator.close(), logs.close()]);
  });
  return {
    url,
    sqs,
    dead,
    events,
    create,
    redrivePolicy: RedrivePolicy,
    /** Puts a message there; returns its id. */
    async bury({ body, secondsAgo = 0, queue: QueueUrl = dead }: SentLetter): Promise<string> {
      const receivedAt = new Date(Date.now() - secondsAgo * 1_000);
      const { MessageId = '' } = await sqs.sendMessage({ QueueUrl, ...unsealedMessage(body, receivedAt) });
      return MessageId;
    },
    /** A line that the consumer logs. */
    logRetry(message_id: string, reason: string, error_name: string): void {
      const line = { message: 'record will be retried', message_id, reason, error_name };
      logs.addLine('consumer', JSON.stringify(line));
    },
    async visible(QueueUrl: string): Promise<number> {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames });
      return Number(Attributes?.ApproximateNumberOfMessages);
    },
  };
}
