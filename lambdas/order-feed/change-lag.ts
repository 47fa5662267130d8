import type { DynamoDBRecord } from 'aws-lambda';
import { changeLagReportedShare } from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import { orderAttributes } from '../contract/schema.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { orderOfRecord } from './stream-record.ts';

/**
 * Reports a write that was committed long after its time stamp: `GET /orders` misses a change that is in its
 * index later than `settleSeconds` after the stamp. Most writes are far from that, and their lag is not
 * emitted: a custom metric is billed for the hours in which it has data.
 */
export function reportLag(telemetry: Telemetry, record: DynamoDBRecord, settleSeconds: number): void {
  const lagSeconds = changeLagSeconds(record);
  if (lagSeconds === undefined || lagSeconds < settleSeconds * changeLagReportedShare) return;
  const { mode, id } = orderOfRecord(record);
  telemetry.measure(metricNames.changeLag, lagSeconds, 'Seconds');
  telemetry.log('warn', 'order change committed late', {
    mode,
    order_id: id,
    updated_at: record.dynamodb?.NewImage?.[orderAttributes.updatedAt]?.S,
    lag_seconds: lagSeconds,
  });
}

/**
 * The time from the time stamp of a write to its commit. The stream rounds the time of a commit down to a
 * second, so this is the longest that it can have been. `undefined` for a write without a new time stamp.
 */
function changeLagSeconds({ dynamodb }: DynamoDBRecord): number | undefined {
  const stamp = dynamodb?.NewImage?.[orderAttributes.updatedAt]?.S;
  const before = dynamodb?.OldImage?.[orderAttributes.updatedAt]?.S;
  const committedAt = dynamodb?.ApproximateCreationDateTime;
  if (stamp === undefined || committedAt === undefined || stamp === before) return undefined;
  return committedAt + 1 - Date.parse(stamp) / 1000;
}
