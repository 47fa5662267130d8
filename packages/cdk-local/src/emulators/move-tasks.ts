import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { basename } from 'node:path/posix';
import { arnOf } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { addOperations } from './aws-json.ts';
import { moveMessages, type Queue, type QueueStore } from './fauxqs.ts';

interface MoveRequest {
  readonly SourceArn: string;
  readonly MaxNumberOfMessagesPerSecond?: number;
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
export function addMoveTasks(server: Server, store: QueueStore): () => void {
  const tasks: MoveTask[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const end = (timer: NodeJS.Timeout): void => {
    clearInterval(timer);
    timers.delete(timer);
  };
  const sourcesOf = (arn: string): Queue[] =>
    [...store.allQueues()].filter((queue) => deadLetterArn(queue) === arn);
  const operations = {
    async StartMessageMoveTask(request: MoveRequest) {
      const from = store.getQueueByArn(request.SourceArn);
      if (from === undefined)
        throw new AwsError('ResourceNotFoundException', 'No queue has this SourceArn.', { status: 404 });
      const [to] = sourcesOf(request.SourceArn);
      if (to === undefined) throw unsupported('Source queue must be configured as a Dead Letter Queue.');
      const task = taskOf(request, from);
      if (tasks.some((other) => other.SourceArn === task.SourceArn && other.Status === 'RUNNING'))
        throw unsupported('There is already a task running for this queue.');
      tasks.unshift(task);
      move(task, from, to);
      const timer = setInterval(() => {
        if (task.Status === 'RUNNING') move(task, from, to);
        else end(timer);
      }, 1_000);
      timers.add(timer);
      return { TaskHandle: task.TaskHandle };
    },
    async ListMessageMoveTasks(request: { readonly SourceArn: string; readonly MaxResults?: number }) {
      const { SourceArn, MaxResults = 1 } = request;
      const listed = tasks.filter((task) => task.SourceArn === SourceArn).slice(0, MaxResults);
      return { Results: listed.map(shown) };
    },
    async CancelMessageMoveTask({ TaskHandle }: Pick<MoveTask, 'TaskHandle'>) {
      const task = tasks.find((other) => other.TaskHandle === TaskHandle && other.Status === 'RUNNING');
      if (task === undefined) throw new AwsError('ResourceNotFoundException', 'No active task has it.');
      task.Status = 'CANCELLED';
      return { ApproximateNumberOfMessagesMoved: task.ApproximateNumberOfMessagesMoved };
    },
    async ListDeadLetterSourceQueues({ QueueUrl }: { readonly QueueUrl: string }) {
      return { queueUrls: sourcesOf(arnOf('sqs', basename(QueueUrl))).map(({ url }) => url) };
    },
  };
  addOperations(server, { target: 'AmazonSQS', operations });
  return () => timers.forEach(end);
}

const unsupported = (message: string): AwsError =>
  new AwsError('AWS.SimpleQueueService.UnsupportedOperation', message);

function taskOf({ SourceArn, MaxNumberOfMessagesPerSecond }: MoveRequest, from: Queue): MoveTask {
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

function deadLetterArn({ attributes: { RedrivePolicy = '' } }: Queue): string | undefined {
  if (RedrivePolicy === '') return undefined;
  return (JSON.parse(RedrivePolicy) as { deadLetterTargetArn?: string }).deadLetterTargetArn;
}
