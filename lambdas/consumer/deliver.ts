import type { EventRow } from '../ports/rows.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { entryOf, type FirstDelivery, firstDelivery } from '../projection/layout.ts';
import { bodyExpiry } from '../projection/project.ts';
import {
  bodyRowOf,
  eventRow,
  quarantineRow,
  type RowSettings,
  unrecognisedRow,
  unsealedRow,
} from './event-rows.ts';
import type { ReadEvent, Received } from './receive.ts';

/** The first delivery of an event: its row is stored, and its entry in the row of its transaction. */
export interface First {
  readonly kind: 'first';
  readonly received: Received;
  readonly row: EventRow;
  readonly event: ReadEvent;
  /** What it still has to write. */
  readonly rest: FirstDelivery;
}

/** A message whose body is stored, as far as its orders are not concerned. */
export type Stored =
  | First
  /** It waits for a person, and concerns no order. */
  | { readonly kind: 'waiting'; readonly received: Received; readonly row: EventRow; readonly isNew: boolean }
  /** Its event id is taken. */
  | { readonly kind: 'again'; readonly received: Received; readonly event: ReadEvent };

/** Stores the row of a message, its body, and its entry in the row of its transaction; reads nothing. */
export async function storeBody(
  store: DeliveryStore,
  received: Received,
  settings: RowSettings,
): Promise<Stored> {
  const { classification } = received;
  if (classification.kind === 'unrecognised')
    return storeWaiting(store, received, unrecognisedRow(received, classification.reason, settings));
  if (classification.kind === 'quarantined')
    return storeWaiting(store, received, quarantineRow(received, classification, settings));
  const row = eventRow(received, classification, settings);
  if (!(await store.put(row))) return { kind: 'again', received, event: classification };
  const entry = entryOf(row);
  const body = bodyRowOf(row, settings);
  const join = {
    mode: row.mode,
    transactionId: classification.reading.transactionId ?? '',
    at: row.recordedAt,
  };
  // One after the other: a call that is left behind by the failure of another would end after the verdict.
  if (body !== undefined) await store.putBody(body);
  const joined = entry === undefined ? undefined : await store.join({ ...join, entry });
  return {
    kind: 'first',
    received,
    row,
    event: classification,
    rest: firstDelivery(row, joined?.entries ?? []),
  };
}

/** A message that the verifier did not send. Nothing in it is believed, so it takes no event id. */
export const storeUnsealed = (
  store: DeliveryStore,
  received: Received,
  settings: RowSettings,
): Promise<Stored> => storeWaiting(store, received, unsealedRow(received, settings));

async function storeWaiting(store: DeliveryStore, received: Received, row: EventRow): Promise<Stored> {
  const isNew = await store.put(row);
  return { kind: 'waiting', received, row, isNew };
}

/** Notes in the row of an event without an order which orders have it; `false` if it has changed since. */
export async function settle(
  store: DeliveryStore,
  { row, event: { eventId }, rest: { assigned: orderIds } }: First,
  settings: RowSettings,
): Promise<boolean> {
  const { mode, bodySha256, key } = row;
  if (orderIds.length === 0) return true;
  if (!(await store.settle({ mode, eventId, orderIds }))) return false;
  const expiresAt = row.bodyRow && bodyExpiry(settings);
  if (expiresAt !== undefined) await store.expireBody({ key, bodySha256 }, expiresAt);
  return true;
}
