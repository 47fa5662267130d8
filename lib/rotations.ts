import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import type { NodeFunction } from './node-function.ts';

/** One alarm for all functions that rotate a secret. */
export function watchRotations(alarms: Alarms, functions: readonly NodeFunction[]): void {
  const metrics = functions.map(({ lambda }, index) => [`errors${index}`, lambda.metricErrors()] as const);
  alarms.add('RotationFailed', {
    meaning:
      'The keys that seal messages, or the OAuth token of the payment account, were not rotated. The ' +
      'current ones stay in use; the token until it expires.',
    metric: new MathExpression({
      expression: metrics.map(([id]) => `FILL(${id}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(metrics),
    }),
  });
}
