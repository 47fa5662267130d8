import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { region } from '../account.ts';
import { loopback } from '../loopback.ts';
import { loadFauxqs, moveMessages, moveQueuesTo, openStores, type Queue, type QueueStore } from './fauxqs.ts';

export type SqsEmulator = Awaited<ReturnType<typeof startSqs>>;

/** Starts fauxqs on a free loopback port, in memory or kept in `directory`, and adds message move tasks. */
export async function startSqs(directory?: string) {
  const stores = await openStores(directory);
  const app = buildApp({
    logger: false,
    defaultRegion: region,
    stores: stores as unknown as NonNullable<BuildAppOptions['stores']>,
  });
  addMoveTasks(app, stores.sqsStore);
  const metrics = countMessages(app, stores.sqsStore);
  const endpoint = await app.listen({ port: 0, host: loopback });
  moveQueuesTo(endpoint, stores.sqsStore);
  return {
    endpoint,
    metrics,
    /** Ends every waiting long poll now, so that a poller which stops leaves no open receive. */
    endPolls: () => stores.sqsStore.shutdown(),
    async close() {
      await app.close();
      stores.close();
    },
  };
}

/**
 * The metrics of each queue by name, now. Like SQS's, `NumberOfMessagesSent` leaves out the messages that a
 * redrive policy moves; it counts since the last call.
 */
function countMessages(app: ReturnType<typeof buildApp>, store: QueueStore) {
  const sent = new Map<string, number>();
  app.addHook('onResponse', async (request, reply) => {
    const { QueueUrl = '', Entries } = (request.body ?? {}) as { QueueUrl?: string; Entries?: unknown[] };
    const isSend = /^AmazonSQS\.SendMessage(Batch)?$/.test(String(request.headers['x-amz-target']));
    if (!isSend || reply.statusCode !== 200) return;
    const name = basename(QueueUrl);
    sent.set(name, (sent.get(name) ?? 0) + (Entries?.length ?? 1));
  });
  return function readMetrics(now: number): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const read = [...store.allQueues()].map(({ url, messages, inflightMessages }) => {
      const name = basename(url);
      const all = [...messages, ...[...inflightMessages.values()].map(({ message }) => message)];
      const oldest = Math.min(now, ...all.map(({ sentTimestamp }) => sentTimestamp));
      const values = {
        ApproximateNumberOfMessagesVisible: messages.length,
        ApproximateAgeOfOldestMessage: (now - oldest) / 1_000,
        NumberOfMessagesSent: sent.get(name) ?? 0,
      };
      return [name, values] as const;
    });
    sent.clear();
    return new Map(read);
  };
}

interface MoveRequest {
  readonly SourceArn?: string;
  readonly DestinationArn?: string;
  readonly MaxResults?: number;
}

type MoveTask = Awaited<ReturnType<typeof moveAll>>;

/** StartMessageMoveTask and ListMessageMoveTasks. A task is complete when the response is sent. */
function addMoveTasks(app: ReturnType<typeof buildApp>, store: QueueStore): void {
  const tasks: MoveTask[] = [];
  const operations: Readonly<Record<string, (request: MoveRequest) => Promise<object>>> = {
    async 'AmazonSQS.StartMessageMoveTask'(request) {
      const task = await moveAll(store, request);
      tasks.unshift(task);
      return { TaskHandle: task.TaskHandle };
    },
    async 'AmazonSQS.ListMessageMoveTasks'({ SourceArn, MaxResults = 1 }) {
      const listed = tasks.filter((task) => task.SourceArn === SourceArn).slice(0, MaxResults);
      // SQS does not return the handle of a task that is over.
      return { Results: listed.map(({ TaskHandle: _, ...task }) => task) };
    },
  };
  app.addHook('preHandler', async (request, reply) => {
    const operation = operations[String(request.headers['x-amz-target'])];
    if (operation === undefined) return;
    reply.header('content-type', 'application/x-amz-json-1.0');
    const { SqsError } = await loadFauxqs();
    try {
      return reply.send(JSON.stringify(await operation(request.body as MoveRequest)));
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      return reply
        .status(400)
        .header('x-amzn-query-error', error.queryErrorHeader)
        .send(JSON.stringify(error));
    }
  });
}

async function moveAll(store: QueueStore, request: MoveRequest) {
  const { SourceArn = '', DestinationArn } = request;
  const { SqsError } = await loadFauxqs();
  const from = store.getQueueByArn(SourceArn);
  if (from === undefined) throw new SqsError('ResourceNotFoundException', 'No queue has this SourceArn.');
  const source = [...store.allQueues()].find((queue) => deadLetterArn(queue) === SourceArn);
  if (source === undefined) {
    throw new SqsError('UnsupportedOperation', 'Source queue must be configured as a Dead Letter Queue.');
  }
  const to = DestinationArn === undefined ? source : store.getQueueByArn(DestinationArn);
  if (to === undefined) throw new SqsError('ResourceNotFoundException', 'No queue has this DestinationArn.');
  const messages = moveMessages(from, to);
  return {
    TaskHandle: randomUUID(),
    Status: 'COMPLETED',
    SourceArn,
    DestinationArn,
    ApproximateNumberOfMessagesMoved: messages,
    ApproximateNumberOfMessagesToMove: messages,
    StartedTimestamp: Date.now(),
  };
}

function deadLetterArn({ attributes: { RedrivePolicy = '' } }: Queue): string | undefined {
  if (RedrivePolicy === '') return undefined;
  return (JSON.parse(RedrivePolicy) as { deadLetterTargetArn?: string }).deadLetterTargetArn;
}
