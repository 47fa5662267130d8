import { eventNamesRememberedMax, privateKeysMax } from '../contract/limits.ts';
import { keyUseIntervalSeconds } from '../contract/operations-limits.ts';
import { eventNameKey } from '../contract/schema.ts';
import type { DeliveryStore, KeyUseWriter } from '../ports/stores.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';
import { eventNameRow } from '../projection/repair.ts';
import type { Received } from './receive.ts';

interface RememberedParts {
  readonly store: Pick<DeliveryStore, 'putEventName'>;
  readonly keyUses: KeyUseWriter;
  readonly telemetry: Telemetry;
}

/** What an instance of the function stores once, and remembers that it has. */
export type Remembered = ReturnType<typeof createRemembered>;

export function createRemembered({ store, keyUses, telemetry }: RememberedParts) {
  const names = new Map<string, Promise<void>>();
  const uses = new Map<string, number>();

  return {
    /**
     * Makes every name that has no meaning wait, for a person to give it one. Each name is stored once per
     * execution environment; the condition of the write makes it once for all of them.
     */
    async recordEventName(
      { classification, message: { mode } }: Received,
      recordedAt: string,
    ): Promise<void> {
      if (classification.kind !== 'event' || classification.reading.meaning !== null) return;
      const row = eventNameRow({ mode, ...classification, recordedAt });
      const key = eventNameKey(mode, row.eventName);
      const earlier = names.get(key);
      if (earlier !== undefined) return earlier;
      if (names.size >= eventNamesRememberedMax) names.clear();
      const storing = store.putEventName(row);
      names.set(key, storing);
      try {
        await storing;
      } catch (error) {
        names.delete(key);
        throw error;
      }
    },

    /**
     * Stores when each private key matched last, for a rotation to prove that the old key is out of use. By
     * the times of receipt, so that a redrive of old messages writes as rarely as new ones do. A failure
     * never affects the event; the next event of the key tries again.
     */
    async recordKeyUse({ message: { mode, keyId, receivedAt } }: Received): Promise<void> {
      // Nobody rotates the key of heartbeats.
      if (mode === 'heartbeat') return;
      const key = `${mode} ${keyId}`;
      const at = Date.parse(receivedAt);
      if (at < (uses.get(key) ?? 0) + keyUseIntervalSeconds * 1000) return;
      if (uses.size >= privateKeysMax) uses.clear();
      uses.set(key, at);
      try {
        await keyUses.putKeyUse({ mode, keyId, matchedAt: receivedAt });
      } catch (error) {
        uses.delete(key);
        telemetry.log('warn', 'the last use of a private key is not stored', {
          mode,
          key_id: keyId,
          ...errorFields(error),
        });
      }
    },
  };
}
