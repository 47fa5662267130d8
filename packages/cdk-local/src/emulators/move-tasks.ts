import { randomUUID } from 'node:crypto';
import type { buildApp } from 'fauxqs';
import { loadFauxqs, moveMessages, type Queue, type QueueStore } from './fauxqs.ts';

interface MoveRequest {
  readonly SourceArn?: string;
  readonly MaxNumberOfMessagesPerSecond?: number;
  readonly MaxResults?: number;
  readonly TaskHandle?: string;
  readonly QueueUrl?: string;
}

interface MoveTask {
  readonly TaskHandle: string;
  readonly SourceArn: string;
  readonly MaxNumberOfMessagesPerSecond: number | undefined;
  readonly ApproximateNumberOfMessagesToMove: number;
  readonly StartedTimestamp: number;
  Status: 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  ApproximateNumberOfMessagesMoved: number;
}

/**
 * StartMessageMoveTask back to the source, ListMessageMoveTasks, CancelMessageMoveTask and
 * ListDeadLetterSourceQueues. A task without a rate is complete when the response is sent. A stop ends every
 * other task, as a restart of the process does. Returns the function that ends them.
 */
export function addMoveTasks(app: ReturnType<typeof buildApp>, store: QueueStore): () => void {
  const tasks: MoveTask[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const operations: Readonly<Record<string, (request: MoveRequest) => Promise<object>>> = {
    async 'AmazonSQS.StartMessageMoveTask'(request) {
      const { from, to } = await queuesOf(store, request);
      const task = taskOf(request, from);
      if (tasks.some((other) => other.SourceArn === task.SourceArn && other.Status === 'RUNNING')) {
        throw await sqsError('UnsupportedOperation', 'There is already a task running for this queue.');
      }
      tasks.unshift(task);
      move(task, from, to);
      const timer = setInterval(() => {
        if (task.Status === 'RUNNING') move(task, from, to);
        else end(timer);
      }, 1_000);
      timers.add(timer);
      return { TaskHandle: task.TaskHandle };
    },
    async 'AmazonSQS.ListMessageMoveTasks'({ SourceArn, MaxResults = 1 }) {
      const listed = tasks.filter((task) => task.SourceArn === SourceArn).slice(0, MaxResults);
      return { Results: listed.map(shown) };
    },
    async 'AmazonSQS.CancelMessageMoveTask'({ TaskHandle }) {
      const task = tasks.find((other) => other.TaskHandle === TaskHandle && other.Status === 'RUNNING');
      if (task === undefined) throw await sqsError('ResourceNotFoundException', 'No active task has it.');
      task.Status = 'CANCELLED';
      return { ApproximateNumberOfMessagesMoved: task.ApproximateNumberOfMessagesMoved };
    },
    async 'AmazonSQS.ListDeadLetterSourceQueues'({ QueueUrl = '' }) {
      const { pathname } = new URL(QueueUrl);
      const sources = [...store.allQueues()].filter((queue) => deadLetterName(queue) === pathname.slice(14));
      return { queueUrls: sources.map(({ url }) => url) };
    },
  };
  const end = (timer: NodeJS.Timeout): void => {
    clearInterval(timer);
    timers.delete(timer);
  };
  serve(app, operations);
  return () => timers.forEach(end);
}

function serve(
  app: ReturnType<typeof buildApp>,
  operations: Readonly<Record<string, (request: MoveRequest) => Promise<object>>>,
): void {
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

async function queuesOf(store: QueueStore, { SourceArn = '' }: MoveRequest) {
  const from = store.getQueueByArn(SourceArn);
  if (from === undefined) throw await sqsError('ResourceNotFoundException', 'No queue has this SourceArn.');
  const to = [...store.allQueues()].find((queue) => deadLetterArn(queue) === SourceArn);
  if (to !== undefined) return { from, to };
  const message = 'Source queue must be configured as a Dead Letter Queue.';
  throw await sqsError('UnsupportedOperation', message);
}

function taskOf(request: MoveRequest, from: Queue): MoveTask {
  const { SourceArn = '', MaxNumberOfMessagesPerSecond } = request;
  return {
    TaskHandle: randomUUID(),
    Status: 'RUNNING',
    ...{ SourceArn, MaxNumberOfMessagesPerSecond },
    ApproximateNumberOfMessagesMoved: 0,
    ApproximateNumberOfMessagesToMove: from.messages.length,
    StartedTimestamp: Date.now(),
  };
}

function move(task: MoveTask, from: Queue, to: Queue): void {
  const messagesMax = task.MaxNumberOfMessagesPerSecond ?? from.messages.length;
  task.ApproximateNumberOfMessagesMoved += moveMessages(from, to, messagesMax);
  if (from.messages.length === 0) task.Status = 'COMPLETED';
}

/** SQS does not return the handle of a task that is over. */
function shown({ TaskHandle, ...task }: MoveTask): object {
  return task.Status === 'RUNNING' ? { TaskHandle, ...task } : task;
}

async function sqsError(code: string, message: string): Promise<Error> {
  const { SqsError } = await loadFauxqs();
  return new SqsError(code, message);
}

function deadLetterArn({ attributes: { RedrivePolicy = '' } }: Queue): string | undefined {
  if (RedrivePolicy === '') return undefined;
  return (JSON.parse(RedrivePolicy) as { deadLetterTargetArn?: string }).deadLetterTargetArn;
}

const deadLetterName = (queue: Queue): string | undefined => deadLetterArn(queue)?.split(':').at(-1);
