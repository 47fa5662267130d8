import { basename } from 'node:path/posix';
import type { CreatedStack } from '@payhooks/cdk-local';
import { eventLatency, type MeasuredResources, type MetricId } from '../../console/server/series/metrics.ts';
import { createSeries, type Values } from '../../console/server/series/series.ts';
import { variables } from '../../lambdas/contract/environment.ts';
import { parseObject } from '../live-log/entry.ts';

/**
 * The last hour minute by minute, from the metrics that alarms go by. It also measures how long each event
 * takes from receipt to record, which on AWS is only in the consumer's log.
 */
export function createSeriesView(
  { model, metric, measure }: Pick<CreatedStack, 'model' | 'metric' | 'measure'>,
  clock: () => number,
) {
  const resources = measuredResourcesOf(model);
  const latency = eventLatency(resources.namespace);
  return {
    views: {
      '/series': createSeries({
        resources: async () => resources,
        async read(metrics, span) {
          return new Map<MetricId, Values>(
            [...metrics].map(([id, { statistic, ...one }]) => [id, metric(one, statistic, span)]),
          );
        },
        now: clock,
        lateMinutes: 0,
      }),
    },
    onLine(line: string): void {
      if (!line.includes('event handled')) return;
      const { message, mode, latency_ms: milliseconds } = parseObject(line) ?? {};
      if (message !== 'event handled' || mode === 'heartbeat' || typeof milliseconds !== 'number') return;
      measure(latency, milliseconds / 1_000);
    },
  };
}

function measuredResourcesOf({ functions, outputs }: CreatedStack['model']): MeasuredResources {
  const functionOf = (stage: string): string | undefined =>
    functions.find(({ environment }) => environment[variables.serviceName] === stage)?.name;
  return {
    namespace: outputs['MetricsNamespace'] ?? '',
    eventQueue: basename(outputs['EventQueueUrl'] ?? ''),
    verifier: functionOf('verifier') ?? '',
    heartbeat: functionOf('heartbeat'),
    measuresEvents: true,
  };
}
