import type { QueueMetrics } from '../emulators/queue-metrics.ts';
import type { Functions } from '../functions/functions.ts';
import type { AddMetrics } from './metrics.ts';

/** The metrics that AWS emits by itself and this package adds in its place. */
const awsMetrics: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['Count', '4xx', '5xx', 'Latency'],
  'AWS/Lambda': ['Invocations', 'Errors', 'IteratorAge'],
  'AWS/Logs': ['IncomingLogEvents'],
  'AWS/SQS': [
    'ApproximateAgeOfOldestMessage',
    'ApproximateNumberOfMessagesVisible',
    'NumberOfMessagesSent',
    'NumberOfMessagesDeleted',
  ],
};

export const isAwsMetric = (namespace: string, name: string): boolean =>
  awsMetrics[namespace]?.includes(name) ?? false;

/** Invokes functions and adds the metrics of Lambda. */
export function countInvocations(invoke: Functions['invoke'], add: AddMetrics): Functions['invoke'] {
  return async function invokeAndCount(functionName, event) {
    const outcome = await invoke(functionName, event);
    add('AWS/Lambda', { FunctionName: functionName }, { Invocations: 1, Errors: outcome.ok ? 0 : 1 });
    return outcome;
  };
}

/** A response of a route, and the time from its request on. */
export interface MeasuredResponse {
  readonly status: number;
  readonly milliseconds: number;
}

/** Adds the metrics of one response of an HTTP API. */
export function addResponse(
  add: AddMetrics,
  apiId: string,
  { status, milliseconds }: MeasuredResponse,
): void {
  const isIn = (hundreds: number): number => (Math.floor(status / 100) === hundreds ? 1 : 0);
  const values = { Count: 1, '4xx': isIn(4), '5xx': isIn(5), Latency: milliseconds };
  add('AWS/ApiGateway', { ApiId: apiId }, values);
}

/** Adds the metrics of queues, by their names. */
export function addQueueMetrics(add: AddMetrics, queues: QueueMetrics): void {
  for (const [QueueName, values] of queues) add('AWS/SQS', { QueueName }, values);
}
