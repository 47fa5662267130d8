import { metricNames } from '../contract/metrics.ts';
import { orderKey } from '../contract/schema.ts';
import type { Outcome } from '../ports/stores.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';
import type { Merged } from './merge-facts.ts';
import type { Recorded } from './record-event.ts';
import type { Fate } from './settle-rows.ts';

/** The outcomes of events that wait for a person. */
const waitingOutcomes: readonly Outcome[] = ['unassigned', 'quarantined', 'conflict', 'unrecognised'];

export interface Handled {
  /** The merges of the record's orders, by order key. */
  readonly merges: ReadonlyMap<string, Merged>;
  /** Whether another record of the batch stored the same body: then that one changed the orders. */
  readonly isRepeated: boolean;
  /** What became of the record's own event. */
  readonly fate: Fate | undefined;
  readonly handledAt: Date;
}

/**
 * One line per record: which event, which order, which outcome. It is written for an event that begins to
 * wait and for a heartbeat, which proves that the log is alive; for any other only with `logLevel` `info`.
 */
export function reportHandled(telemetry: Telemetry, record: Recorded, handled: Handled): void {
  const { merges, isRepeated, fate, handledAt } = handled;
  const { mode, requestId, receivedAt } = record.received.message;
  const changed = [...merges.values()].some((merged) => merged.changed);
  const news = record.fresh || (changed && !isRepeated);
  const outcome = fate?.outcome ?? record.outcome;
  const fields = eventFields(record, fate);
  const merged = fields.order_id ? merges.get(orderKey(mode, fields.order_id)) : undefined;
  const wellDone = mode === 'heartbeat' ? 'notice' : 'info';
  telemetry.log(news && waitingOutcomes.includes(outcome) ? 'warn' : wellDone, 'event handled', {
    request_id: requestId,
    mode,
    ...fields,
    outcome: news ? outcome : 'duplicate',
    reason: fate?.reason ?? record.reason,
    order_status: merged?.status,
    body_sha256: record.received.bodySha256,
    // From the receipt of the webhook.
    latency_ms: handledAt.getTime() - Date.parse(receivedAt),
  });
}

interface EventFields extends LogFields {
  readonly order_id?: string | null;
}

function eventFields({ received: { classification } }: Recorded, fate: Fate | undefined): EventFields {
  if (classification.kind === 'unrecognised') return {};
  const { id, eventName, order } = classification.event;
  return {
    event_id: id,
    event_name: eventName,
    order_id: order === null || order === 'invalid' ? (fate?.assignedOrderId ?? null) : order.id,
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
