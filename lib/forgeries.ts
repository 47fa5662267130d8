import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Operations } from './operations.ts';
import type { OrderFeed } from './order-feed.ts';

interface Watched {
  readonly operations: Operations;
  readonly orderFeed: OrderFeed;
}

/** One alarm for all functions that do not trust their event: what to do is the same. */
export function watchForgeries(alarms: Alarms, { operations, orderFeed }: Watched): void {
  const usingMetrics = {
    operations: operations.function.metric(metricNames.invocationsForged),
    orderFeed: orderFeed.function.metric(metricNames.invocationsForged),
  };
  alarms.add('InvocationsForged', {
    meaning: 'Someone invoked a function with an event that its source never sent; nothing was done with it.',
    metric: new MathExpression({ expression: 'FILL(operations, 0) + FILL(orderFeed, 0)', usingMetrics }),
  });
}
