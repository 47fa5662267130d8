import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { changesIndexName, waitingIndexName } from '../lambdas/contract/schema.ts';
import type { Alarms } from './alarms.ts';

type Named = Pick<Table, 'tableName'>;

interface WatchedTables {
  readonly events: Named;
  readonly orders: Named;
}

/**
 * An index that cannot take its writes throttles its table; DynamoDB counts its throttles separately. Reads
 * have no metric here: one that the SDK's retries do not save fails a query or a count, which have alarms.
 */
export function watchThrottles({ events, orders }: WatchedTables, alarms: Alarms): void {
  const throttles = (table: Named, index?: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: 'WriteThrottleEvents',
      dimensionsMap: {
        TableName: table.tableName,
        ...(index !== undefined && { GlobalSecondaryIndexName: index }),
      },
      statistic: Stats.SUM,
    });
  const usingMetrics = {
    eventWrites: throttles(events),
    waitingWrites: throttles(events, waitingIndexName),
    orderWrites: throttles(orders),
    changeWrites: throttles(orders, changesIndexName),
  };
  const terms = Object.keys(usingMetrics).map((metric) => `FILL(${metric}, 0)`);
  // The SDK retries what DynamoDB throttles, and a table on demand grows within minutes.
  alarms.add('TablesThrottled', {
    meaning: 'DynamoDB has throttled writes to a table or an index for 15 minutes: events are recorded late.',
    metric: new MathExpression({ expression: terms.join(' + '), usingMetrics }),
    periods: 3,
  });
}
