import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { changesIndexName, waitingIndexName } from '../lambdas/contract/schema.ts';
import type { Alarms } from './alarms.ts';

type Named = Pick<Table, 'tableName'>;

interface WatchedTables {
  readonly events: Named;
  readonly orders: Named;
}

/** An index that cannot take its writes throttles its table; DynamoDB counts its throttles separately. */
export function watchThrottles({ events, orders }: WatchedTables, alarms: Alarms): void {
  const throttles = (count: 'ReadThrottleEvents' | 'WriteThrottleEvents', table: Named, index?: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: count,
      dimensionsMap: {
        TableName: table.tableName,
        ...(index !== undefined && { GlobalSecondaryIndexName: index }),
      },
      statistic: Stats.SUM,
    });
  const usingMetrics = {
    eventReads: throttles('ReadThrottleEvents', events),
    eventWrites: throttles('WriteThrottleEvents', events),
    waitingReads: throttles('ReadThrottleEvents', events, waitingIndexName),
    waitingWrites: throttles('WriteThrottleEvents', events, waitingIndexName),
    orderReads: throttles('ReadThrottleEvents', orders),
    orderWrites: throttles('WriteThrottleEvents', orders),
    changeReads: throttles('ReadThrottleEvents', orders, changesIndexName),
    changeWrites: throttles('WriteThrottleEvents', orders, changesIndexName),
  };
  const terms = Object.keys(usingMetrics).map((metric) => `FILL(${metric}, 0)`);
  // The SDK retries what DynamoDB throttles, and a table on demand grows within minutes.
  alarms.add('TablesThrottled', {
    meaning: 'DynamoDB has throttled a table or an index for 15 minutes: events are recorded late.',
    metric: new MathExpression({ expression: terms.join(' + '), usingMetrics }),
    periods: 3,
  });
}
