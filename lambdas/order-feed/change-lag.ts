import type { DynamoDBRecord } from 'aws-lambda';
import { changeLagReportedShare, changesSettleSeconds } from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import { orderAttributes } from '../contract/schema.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { OrderWrite } from './order-change.ts';

/**
 * Reports a write that was committed long after its time stamp: `GET /orders` misses a change that reaches
 * its index later than `changesSettleSeconds` after the stamp. Most writes are far from that, and emit no
 * lag: a custom metric is billed for the hours in which it has data.
 */
export function reportLag(
  telemetry: Telemetry,
  { order, updatedAt }: OrderWrite,
  { dynamodb }: DynamoDBRecord,
): void {
  // Only a new time stamp shows when the write began.
  if (dynamodb?.OldImage?.[orderAttributes.updatedAt]?.S === updatedAt) return;
  const { ApproximateCreationDateTime: committedAt = Number.NaN } = dynamodb ?? {};
  // The stream rounds the time of a commit down to a second, so this is the longest that it can have been.
  const lagSeconds = committedAt + 1 - Date.parse(updatedAt) / 1000;
  if (!(lagSeconds >= changesSettleSeconds * changeLagReportedShare)) return;
  telemetry.measure(metricNames.changeLag, lagSeconds, 'Seconds');
  telemetry.log('warn', 'order change committed late', {
    mode: order.mode,
    order_id: order.id,
    updated_at: updatedAt,
    lag_seconds: lagSeconds,
  });
}
