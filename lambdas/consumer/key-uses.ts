import { privateKeysMax } from '../contract/limits.ts';
import { keyUseIntervalSeconds } from '../contract/operations-limits.ts';
import type { KeyUseWriter } from '../ports/key-uses.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Received } from './receive.ts';
import { errorFields } from './report.ts';

export type RecordKeyUse = (received: Received) => Promise<void>;

/**
 * Stores when each private key matched last, for a rotation to prove that the old key is out of use. By the
 * times of receipt, so that a redrive of old messages writes as rarely as new ones do. A failure never
 * affects the event; the next event of the key tries again.
 */
export function createKeyUses(keyUses: KeyUseWriter, telemetry: Telemetry): RecordKeyUse {
  const stored = new Map<string, number>();

  return async function recordKeyUse({ message: { mode, keyId, receivedAt } }) {
    // Nobody rotates the key of heartbeats.
    if (mode === 'heartbeat') return;
    const key = `${mode} ${keyId}`;
    const at = Date.parse(receivedAt);
    if (at < (stored.get(key) ?? 0) + keyUseIntervalSeconds * 1000) return;
    if (stored.size >= privateKeysMax) stored.clear();
    stored.set(key, at);
    try {
      await keyUses.putKeyUse({ mode, keyId, matchedAt: receivedAt });
    } catch (error) {
      stored.delete(key);
      telemetry.log('warn', 'the last use of a private key is not stored', {
        mode,
        key_id: keyId,
        ...errorFields(error),
      });
    }
  };
}
