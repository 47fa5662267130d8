import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { allStages, metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { metricsNamespaceOf } from './node-function.ts';

/** One alarm for all functions that do not trust their event: what to do is the same. */
export function watchForgeries(alarms: Alarms, configuration: Configuration): void {
  alarms.add('InvocationsForged', {
    meaning: 'Someone invoked a function with an event that its source never sent; nothing was done with it.',
    metric: new Metric({
      ...{ namespace: metricsNamespaceOf(configuration), metricName: metricNames.invocationsForged },
      ...{ dimensionsMap: { service: allStages }, statistic: Stats.SUM, period: Duration.minutes(5) },
    }),
  });
}
