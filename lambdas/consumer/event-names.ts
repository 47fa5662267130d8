import { eventNamesRememberedMax } from '../contract/limits.ts';
import { eventNameKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { EventWriter } from '../ports/stores.ts';
import type { Received } from './receive.ts';

export type RecordEventName = (received: Received, at: string) => Promise<void>;

/**
 * Stores the first event of every name that has no meaning, for a person to give it one. Each name is stored
 * once per execution environment; the condition of the write makes it once for all of them.
 */
export function createEventNames(events: EventWriter, meaningOf: MeaningOf): RecordEventName {
  const stored = new Map<string, Promise<void>>();

  return async function recordEventName({ classification, message: { mode } }, recordedAt) {
    if (classification.kind !== 'applied' && classification.kind !== 'recorded') return;
    const { id: eventId, eventName } = classification.event;
    if (meaningOf(eventName) !== undefined) return;
    const key = eventNameKey(mode, eventName);
    const earlier = stored.get(key);
    if (earlier !== undefined) return earlier;
    if (stored.size >= eventNamesRememberedMax) stored.clear();
    const orderId = classification.kind === 'applied' ? { orderId: classification.orderId } : {};
    const storing = events.putEventName({ mode, eventName, eventId, ...orderId, recordedAt });
    stored.set(key, storing);
    try {
      await storing;
    } catch (error) {
      stored.delete(key);
      throw error;
    }
  };
}
