import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { NodeFunction } from './node-function.ts';

/**
 * 1 in a period in which no run of a function succeeded, because each failed or none started; otherwise 0.
 * One metric shows both, and an alarm is billed by the metric: Lambda reports 0 errors for a successful run.
 */
export const noSuccess = ({ lambda }: NodeFunction, period: Duration): MathExpression =>
  new MathExpression({
    expression: 'FILL(errors, 1)',
    usingMetrics: { errors: lambda.metricErrors({ period, statistic: Stats.MINIMUM }) },
    period,
  });
