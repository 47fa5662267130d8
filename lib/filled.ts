import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * A metric that is zero in periods without data. For an alarm over a metric as it is, CloudWatch looks for
 * older periods with data instead: it would fire hours late when the data ends, and would take periods for
 * consecutive that are not.
 */
export const filled = (value: Metric): MathExpression =>
  new MathExpression({ expression: 'FILL(value, 0)', usingMetrics: { value }, period: value.period });
