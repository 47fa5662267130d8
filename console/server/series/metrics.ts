import { metricNames } from '../../../lambdas/contract/metrics.ts';
import type { RefusalReason } from '../../contract/series.ts';

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Maximum';
}

/** The resources whose metrics are read. */
export interface MeasuredResources {
  /** Of the metrics of the functions. */
  readonly namespace: string;
  readonly eventQueue: string;
  readonly verifier: string;
  /** `undefined` in a stack without heartbeats. */
  readonly heartbeat: string | undefined;
}

export type MetricId = 'sent' | 'deleted' | 'oldest' | 'beats' | `refused_${RefusalReason}`;

const ofVerifier: Readonly<Partial<Record<RefusalReason, string>>> = {
  unreadable: metricNames.signatureUnreadable,
  mismatch: metricNames.signatureMismatch,
  key_expired: metricNames.signatureKeyExpired,
  too_large: metricNames.bodyTooLarge,
  keys_unavailable: metricNames.keysUnavailable,
  queue_unavailable: metricNames.queueUnavailable,
};

/** Every metric that the series of a stack are made of. CloudWatch bills each of them per request. */
export function metricsOf(resources: MeasuredResources): ReadonlyMap<MetricId, Metric> {
  const { namespace, eventQueue, verifier, heartbeat } = resources;
  const ofQueue = (name: string, statistic: Metric['statistic'] = 'Sum'): Metric => ({
    ...{ namespace: 'AWS/SQS', name, dimensions: { QueueName: eventQueue }, statistic },
  });
  const ofLambda = (name: string, FunctionName: string): Metric => ({
    ...{ namespace: 'AWS/Lambda', name, dimensions: { FunctionName }, statistic: 'Sum' },
  });
  const counted = (service: string, name: string): Metric => ({
    ...{ namespace, name, dimensions: { service }, statistic: 'Sum' },
  });
  return new Map<MetricId, Metric>([
    ['sent', ofQueue('NumberOfMessagesSent')],
    ['deleted', ofQueue('NumberOfMessagesDeleted')],
    ['oldest', ofQueue('ApproximateAgeOfOldestMessage', 'Maximum')],
    ...Object.entries(ofVerifier).map(
      ([reason, name]) => [`refused_${reason as RefusalReason}`, counted('verifier', name)] as const,
    ),
    ['refused_crashed', ofLambda('Errors', verifier)],
    ...(heartbeat === undefined ? [] : ([['beats', ofLambda('Invocations', heartbeat)]] as const)),
  ]);
}
