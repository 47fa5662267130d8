import { metricNames, waitingGauges } from '../../../lambdas/contract/metrics.ts';
import type { WaitingKind } from '../../../lambdas/contract/waiting-kinds.ts';
import type { RefusalReason } from '../../contract/series.ts';

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Maximum' | 'SampleCount';
}

/** The resources whose metrics are read. */
export interface MeasuredResources {
  /** Of the metrics of the functions. */
  readonly namespace: string;
  readonly eventQueue: string;
  readonly verifier: string;
  /** `undefined` in a stack without heartbeats. */
  readonly heartbeat: string | undefined;
  /** Local mode measures it; on AWS only the log has it, and a query of a log costs more than this page. */
  readonly measuresEvents: boolean;
}

/** What local mode measures of each event that is handled, in seconds. */
export const eventLatency = (namespace: string) => ({
  ...{ namespace, name: 'EventLatency', dimensions: { service: 'consumer' } },
});

export type MetricId =
  | 'sent'
  | 'deleted'
  | 'oldest'
  | 'beats'
  | 'returned'
  | 'roundTrip'
  | 'slowest'
  | 'latencySum'
  | 'latencyCount'
  | `refused_${RefusalReason}`
  | `waiting_${WaitingKind}`;

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
  const { namespace, eventQueue, verifier, heartbeat, measuresEvents } = resources;
  const ofQueue = (name: string, statistic: Metric['statistic'] = 'Sum'): Metric => ({
    ...{ namespace: 'AWS/SQS', name, dimensions: { QueueName: eventQueue }, statistic },
  });
  const ofLambda = (name: string, FunctionName: string): Metric => ({
    ...{ namespace: 'AWS/Lambda', name, dimensions: { FunctionName }, statistic: 'Sum' },
  });
  const ofStage = (service: string, name: string, statistic: Metric['statistic'] = 'Sum'): Metric => ({
    ...{ namespace, name, dimensions: { service }, statistic },
  });
  const returned = (statistic: Metric['statistic']) =>
    ofStage('heartbeat', metricNames.heartbeatReturned, statistic);
  const latency = (statistic: Metric['statistic']) => ({ ...eventLatency(namespace), statistic });
  return new Map<MetricId, Metric>([
    ['sent', ofQueue('NumberOfMessagesSent')],
    ['deleted', ofQueue('NumberOfMessagesDeleted')],
    ['oldest', ofQueue('ApproximateAgeOfOldestMessage', 'Maximum')],
    ...refusals(ofStage),
    // A metric filter counts it in the access log, so it has no dimension.
    ['refused_throttled', { namespace, name: 'WebhooksThrottled', dimensions: {}, statistic: 'Sum' }],
    ['refused_crashed', ofLambda('Errors', verifier)],
    ...gauges(ofStage),
    ...(heartbeat === undefined
      ? []
      : ([
          ['beats', ofLambda('Invocations', heartbeat)],
          ['returned', returned('SampleCount')],
          ['roundTrip', returned('Maximum')],
        ] as const)),
    ...(measuresEvents
      ? ([
          ['slowest', latency('Maximum')],
          ['latencySum', latency('Sum')],
          ['latencyCount', latency('SampleCount')],
        ] as const)
      : []),
  ]);
}

type OfStage = (service: string, name: string, statistic?: Metric['statistic']) => Metric;

const refusals = (ofStage: OfStage) =>
  Object.entries(ofVerifier).map(
    ([reason, name]) => [`refused_${reason as RefusalReason}`, ofStage('verifier', name)] as const,
  );

const gauges = (ofStage: OfStage) =>
  Object.entries(waitingGauges).map(
    ([kind, name]) => [`waiting_${kind as WaitingKind}`, ofStage('waiting-count', name, 'Maximum')] as const,
  );
