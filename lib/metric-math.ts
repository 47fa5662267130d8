import type { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { NodeFunction } from './node-function.ts';

/**
 * 1 in a period in which no run of a function succeeded, because each failed or none started; otherwise 0.
 * One metric shows both, and an alarm is billed by the metric: Lambda reports 0 errors for a successful run.
 */
export const noSuccess = ({ lambda }: NodeFunction, period: Duration): MathExpression =>
  filled(lambda.metricErrors({ period, statistic: Stats.MINIMUM }), 1);

/**
 * A metric with a value, by default zero, in periods without data. For an alarm over a metric as it is,
 * CloudWatch looks for older periods with data instead: it would fire hours late when the data ends, and
 * would take periods for consecutive that are not.
 */
export const filled = (value: Metric, by = 0): MathExpression =>
  new MathExpression({ expression: `FILL(value, ${by})`, usingMetrics: { value }, period: value.period });
