import { basename } from 'node:path/posix';
import type { CreatedStack } from '@payhooks/cdk-local';
import { variables } from '../../../lambdas/contract/environment.ts';
import type { MeasuredResources, MetricId } from './metrics.ts';
import { createSeries, type Values } from './series.ts';

/** The series of local mode, from the metrics that its alarms go by. */
export function createLocalSeries(
  { model, metric }: Pick<CreatedStack, 'model' | 'metric'>,
  now: () => number,
) {
  const resources = measuredResourcesOf(model);
  return createSeries({
    resources: async () => resources,
    async read(metrics, span) {
      return new Map<MetricId, Values>(
        [...metrics].map(([id, { statistic, ...one }]) => [id, metric(one, statistic, span)]),
      );
    },
    now,
    lateMinutes: 0,
    keptMilliseconds: 0,
  });
}

export function measuredResourcesOf({ functions, outputs }: CreatedStack['model']): MeasuredResources {
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
