import { basename } from 'node:path/posix';
import type { CreatedStack } from '@payhooks/cdk-local';
import type { MeasuredResources, MetricId } from '../../console/server/series/metrics.ts';
import { createSeries, type Values } from '../../console/server/series/series.ts';
import { variables } from '../../lambdas/contract/environment.ts';

/** The last hour minute by minute, from the metrics that alarms go by. */
export function createSeriesView(
  { model, metric }: Pick<CreatedStack, 'model' | 'metric'>,
  clock: () => number,
) {
  const resources = measuredResourcesOf(model);
  return createSeries({
    resources: async () => resources,
    async read(metrics, span) {
      return new Map<MetricId, Values>(
        [...metrics].map(([id, { statistic, ...one }]) => [id, metric(one, statistic, span)]),
      );
    },
    now: clock,
    lateMinutes: 0,
  });
}

function measuredResourcesOf({ functions, outputs }: CreatedStack['model']): MeasuredResources {
  const functionOf = (stage: string): string | undefined =>
    functions.find(({ environment }) => environment[variables.serviceName] === stage)?.name;
  return {
    namespace: outputs['MetricsNamespace'] ?? '',
    eventQueue: basename(outputs['EventQueueUrl'] ?? ''),
    verifier: functionOf('verifier') ?? '',
    heartbeat: functionOf('heartbeat'),
  };
}
