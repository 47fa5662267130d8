import { eventNamesRememberedMax } from '../contract/limits.ts';
import { eventNameKey } from '../contract/schema.ts';
import type { DeliveryStore } from '../ports/stores.ts';
import { eventNameRow } from '../projection/repair.ts';
import type { Received } from './receive.ts';

export type RecordEventName = (received: Received, at: string) => Promise<void>;

/**
 * Makes every name that has no meaning wait, for a person to give it one. Each name is stored once per
 * execution environment; the condition of the write makes it once for all of them.
 */
export function createEventNames(store: Pick<DeliveryStore, 'putEventName'>): RecordEventName {
  const stored = new Map<string, Promise<void>>();

  return async function recordEventName({ classification, message: { mode } }, recordedAt) {
    if (classification.kind !== 'event' || classification.reading.meaning !== null) return;
    const row = eventNameRow({ mode, ...classification, recordedAt });
    const key = eventNameKey(mode, row.eventName);
    const earlier = stored.get(key);
    if (earlier !== undefined) return earlier;
    if (stored.size >= eventNamesRememberedMax) stored.clear();
    const storing = store.putEventName(row);
    stored.set(key, storing);
    try {
      await storing;
    } catch (error) {
      stored.delete(key);
      throw error;
    }
  };
}
