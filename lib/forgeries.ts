import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import { metricsNamespaceOf } from './deployment-name.ts';

/** One alarm for all functions that do not trust their event or message: what to do is the same. */
export function watchForgeries(alarms: Alarms): void {
  alarms.add('ForgeriesFound', {
    meaning:
      'Someone in the account invoked a function with an event that its source never sent, or sent a ' +
      'message that the verifier did not seal. Nothing was changed.',
    metric: new Metric({
      ...{ namespace: metricsNamespaceOf(alarms), metricName: metricNames.forgeriesFound },
      ...{ statistic: Stats.SUM, period: Duration.minutes(5) },
    }),
  });
}
