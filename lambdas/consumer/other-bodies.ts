import { eventRecord } from '../contract/schema.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import type { EventRow, EventWriter, PutResult } from '../ports/stores.ts';
import { bodyExpiry, type RowSettings, variantRow, withoutBody } from './event-rows.ts';
import type { Received } from './receive.ts';

export interface Recording {
  readonly events: EventWriter;
  readonly received: Received;
  readonly settings: RowSettings;
}

/**
 * A row for other bytes under the id of an event. It has the body, so one that was stored for the event's row
 * may expire.
 */
export async function recordOther(
  { events, settings }: Recording,
  row: EventRow,
  other: EventRow,
): Promise<PutResult> {
  const expiresAt = bodyExpiry(settings);
  const [result] = await Promise.all([
    events.put(other),
    expiresAt === undefined || row.waiting === undefined ? undefined : events.setBodyExpiry(row, expiresAt),
  ]);
  return result;
}

/**
 * An event in other bytes than those of `first`. After an erasure, its body is not stored. An erasure marks
 * the event's row before it looks for other bodies, so what is stored while the row has no mark is found by
 * it, and a new row looks for the mark once more.
 */
export async function recordVariant(
  recording: Recording,
  event: PaymentEvent,
  { first, row }: { readonly first: EventRow; readonly row: EventRow },
): Promise<void> {
  const { events, received, settings } = recording;
  const { key, bodySha256 } = row;
  const variant = variantRow(received, event, settings);
  const stored = first.erased === undefined ? variant : withoutBody(variant, first.erased);
  const result = await recordOther(recording, row, stored);
  const isNew = result.kind === 'stored' && first.erased === undefined;
  const erased = isNew ? (await events.getRow(key, eventRecord.event))?.erased : first.erased;
  if (erased === undefined) return;
  const present = result.kind === 'present' ? result.row : stored;
  await Promise.all([
    present.erased ?? events.eraseBody({ key, record: variant.record, erased }),
    // With a retention the body was stored first, before anything was known of its event.
    events.eraseBody({ key, record: eventRecord.body(bodySha256), erased }),
  ]);
}
