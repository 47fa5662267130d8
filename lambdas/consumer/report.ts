import { metricNames } from '../contract/metrics.ts';
import type { EventRow } from '../ports/rows.ts';
import { errorFields, type LogFields, type Telemetry } from '../ports/telemetry.ts';
import type { Received } from './receive.ts';

export interface Handled {
  /** The row as it is now. */
  readonly row: EventRow;
  /** The order of an event that names none. */
  readonly assigned?: string | undefined;
  /** Whether this record stored it. */
  readonly isNew: boolean;
}

interface ReportParts {
  readonly telemetry: Telemetry;
  readonly now: () => Date;
}

/**
 * One line per record: which event, which order, which outcome. It is written for an event that begins to
 * wait and for a heartbeat, whose way it shows; for any other only with `logLevel` `info`.
 */
export function reportHandled({ telemetry, now }: ReportParts, received: Received, handled: Handled): void {
  const { row, isNew } = handled;
  const begins = isNew && row.waiting !== undefined && row.outcome !== 'applied';
  if (begins) telemetry.count(metricNames.eventsBeganToWait);
  if (begins && row.waiting === 'unsealed') telemetry.count(metricNames.forgeriesFound);
  const level = begins ? 'warn' : received.message.mode === 'heartbeat' ? 'notice' : 'info';
  telemetry.log(level, 'event handled', () => fieldsOf(received, handled, now()));
}

function fieldsOf(
  { message: { requestId, mode, receivedAt }, classification, bodySha256 }: Received,
  { row, assigned, isNew }: Handled,
  handledAt: Date,
): LogFields {
  const event = classification.kind === 'unrecognised' ? undefined : classification;
  return {
    request_id: requestId,
    mode,
    ...(event && {
      event_id: event.eventId,
      event_name: event.reading.eventName,
      order_id: event.reading.orderId ?? assigned ?? null,
    }),
    outcome: isNew ? row.outcome : 'duplicate',
    reason: row.reason,
    body_sha256: bodySha256,
    // From the receipt of the webhook.
    latency_ms: handledAt.getTime() - Date.parse(receivedAt),
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
    ...(error instanceof Error && errorFields(error)),
  });
}
