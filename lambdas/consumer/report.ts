import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { Outcome } from '../ports/stores.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';
import type { Merged } from './merge-facts.ts';
import type { Recorded } from './record-event.ts';

const outcomeMetrics: Readonly<Partial<Record<Outcome, MetricName>>> = {
  unrecognised: metricNames.eventsUnrecognised,
  quarantined: metricNames.eventsQuarantined,
  conflict: metricNames.eventConflicts,
};

/**
 * Logs one line per record: which event, which order, which outcome. A repeated delivery raises no alarm
 * again.
 */
export function reportHandled(telemetry: Telemetry, record: Recorded, merged: Partial<Merged>): void {
  const news = record.fresh || merged.changed === true;
  const metric = outcomeMetrics[record.outcome];
  if (news && metric !== undefined) telemetry.count(metric);
  telemetry.log(news && metric !== undefined ? 'warn' : 'info', 'event handled', {
    request_id: record.received.message.requestId,
    mode: record.received.message.mode,
    ...eventFields(record),
    outcome: news ? record.outcome : 'duplicate',
    reason: record.reason,
    order_status: merged.status,
    body_sha256: record.received.bodySha256,
  });
}

function eventFields({ received: { classification } }: Recorded): LogFields {
  if (classification.kind === 'unrecognised') return {};
  const { id, eventName, order } = classification.event;
  return {
    event_id: id,
    event_name: eventName,
    order_id: order === null || order === 'invalid' ? null : order.id,
  };
}

export interface RetryCause {
  readonly reason: string;
  readonly error?: unknown;
}

/** Logs and counts a record that goes back to the queue, with the reason. */
export function reportRetry(telemetry: Telemetry, messageId: string, { reason, error }: RetryCause): void {
  telemetry.count(metricNames.recordsRetried);
  telemetry.log('error', 'record will be retried', {
    message_id: messageId,
    reason,
    error_name: error instanceof Error ? error.name : undefined,
    error_message: error instanceof Error ? error.message : undefined,
  });
}
