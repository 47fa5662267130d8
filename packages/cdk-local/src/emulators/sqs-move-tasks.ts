import { randomUUID } from 'node:crypto';
import type { buildApp } from 'fauxqs';
import { loadInternals, type Message, type Queue, type QueueStore } from './sqs-internals.ts';

interface MoveTask {
  readonly TaskHandle: string;
  readonly Status: 'COMPLETED';
  readonly SourceArn: string;
  readonly DestinationArn: string | undefined;
  readonly ApproximateNumberOfMessagesMoved: number;
  readonly ApproximateNumberOfMessagesToMove: number;
  readonly StartedTimestamp: number;
}

type Refuse = (code: string, message: string) => never;
type Request = Readonly<Record<string, unknown>>;

/**
 * Adds StartMessageMoveTask and ListMessageMoveTasks, which fauxqs
 * lacks. A task is done when its answer arrives.
 */
export function answerMoveTasks(app: ReturnType<typeof buildApp>, store: QueueStore): void {
  const tasks: MoveTask[] = [];
  app.addHook('preHandler', async (request, reply) => {
    const target = request.headers['x-amz-target'];
    if (target !== 'AmazonSQS.StartMessageMoveTask' && target !== 'AmazonSQS.ListMessageMoveTasks') return;
    const body = request.body as Request;
    reply.header('content-type', 'application/x-amz-json-1.0');
    if (target === 'AmazonSQS.ListMessageMoveTasks') {
      return reply.send(JSON.stringify({ Results: listed(tasks, body) }));
    }
    const { SqsError } = await loadInternals();
    try {
      const task = startTask(store, body, (code, message) => {
        throw new SqsError(code, message);
      });
      tasks.unshift(task);
      return reply.send(JSON.stringify({ TaskHandle: task.TaskHandle }));
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      const { queryErrorHeader } = error as unknown as { queryErrorHeader: string };
      return reply.status(400).header('x-amzn-query-error', queryErrorHeader).send(JSON.stringify(error));
    }
  });
}

function startTask(store: QueueStore, body: Request, refuse: Refuse): MoveTask {
  const SourceArn = String(body['SourceArn']);
  const DestinationArn = body['DestinationArn'] as string | undefined;
  const from =
    store.getQueueByArn(SourceArn) ?? refuse('ResourceNotFoundException', 'No queue has this SourceArn.');
  const sources = [...store.allQueues()].filter((queue) => deadLetterArn(queue) === SourceArn);
  if (sources.length === 0)
    refuse('UnsupportedOperation', 'Source queue must be configured as a Dead Letter Queue.');
  const to =
    (DestinationArn === undefined ? sources[0] : store.getQueueByArn(DestinationArn)) ??
    refuse('ResourceNotFoundException', 'No queue has this DestinationArn.');
  const messages = moveAll(from, to);
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

function moveAll(from: Queue, to: Queue): number {
  const moving = from.messages.splice(0);
  const move = (): void => {
    for (const message of moving) {
      from.persistence?.deleteMessage(message.messageId);
      to.enqueue(asNew(message));
    }
  };
  if (from.persistence === undefined) move();
  else from.persistence.transaction(move);
  return moving.length;
}

/** A redriven message is a new one to SQS: other id, no receives. */
function asNew(message: Message): Message {
  return {
    ...message,
    messageId: randomUUID(),
    sentTimestamp: Date.now(),
    approximateReceiveCount: 0,
    approximateFirstReceiveTimestamp: undefined,
  };
}

function deadLetterArn(queue: Queue): string | undefined {
  const policy = queue.attributes['RedrivePolicy'];
  if (policy === undefined || policy === '') return undefined;
  return (JSON.parse(policy) as { deadLetterTargetArn?: string }).deadLetterTargetArn;
}

function listed(tasks: readonly MoveTask[], body: Request): object[] {
  const ofQueue = tasks.filter((task) => task.SourceArn === body['SourceArn']);
  // The handle of a task that is over is not told.
  return ofQueue.slice(0, Number(body['MaxResults'] ?? 1)).map(({ TaskHandle: _, ...task }) => task);
}
