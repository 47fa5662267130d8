import type { DynamoDBRecord } from 'aws-lambda';
import { metricNames } from '../contract/metrics.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';
import type { FeedEntry } from './order-status-changed.ts';
import { orderOfRecord } from './stream-record.ts';

/** One line per published change, and another when it is published again. A heartbeat's is always written. */
export function reportPublished(telemetry: Telemetry, { change }: FeedEntry): void {
  telemetry.log(change.mode === 'heartbeat' ? 'notice' : 'info', 'order change published', {
    mode: change.mode,
    order_id: change.order_id,
    sequence: change.sequence,
    previous_status: change.previous?.status ?? null,
    order_status: change.current.status,
    dedupe_id: change.id,
    transactions_left_out: change.transactions === null ? true : undefined,
  });
}

/** A change that the bus did not accept; the stream delivers it again. */
export function reportNotPublished(telemetry: Telemetry, { change }: FeedEntry, errorCode: string): void {
  reportFailure(telemetry, {
    mode: change.mode,
    order_id: change.order_id,
    sequence: change.sequence,
    dedupe_id: change.id,
    error_code: errorCode,
  });
}

/** A record that this version cannot read; a newer one may, so it is retried. */
export function reportUnreadable(telemetry: Telemetry, record: DynamoDBRecord, error: unknown): void {
  const { mode, id } = orderOfRecord(record);
  reportFailure(telemetry, {
    mode,
    order_id: id,
    stream_sequence_number: record.dynamodb?.SequenceNumber,
    error_code: error instanceof Error ? error.name : 'unknown',
    error_message: error instanceof Error ? error.message : undefined,
  });
}

function reportFailure(telemetry: Telemetry, fields: LogFields): void {
  telemetry.count(metricNames.feedChangesFailed);
  telemetry.log('error', 'order change not published', fields);
}
