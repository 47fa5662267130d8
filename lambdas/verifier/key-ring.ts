import { parseKeySecret, signingKeysOf } from '../contract/key-secret.ts';
import {
  secretMaxAgeSeconds,
  secretRereadCooldownSeconds,
  secretRetrySeconds,
  secretStaleSecondsMax,
} from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import type { SigningKey } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/** The private keys that this instance holds, and when it reads them again. */
export interface KeyRing {
  /** The keys to try; empty when there are none to trust, which is our fault and never the sender's. */
  current(): Promise<readonly SigningKey[]>;
  /**
   * The keys after a mismatch: read again, so that a rotation is seen at once, but at most once per cool-down
   * and instance, so that forgeries cannot amplify. `undefined` while the cool-down lasts.
   */
  reread(): Promise<readonly SigningKey[] | undefined>;
}

export interface KeyRingParts {
  /** The text of the secret. Throws when it cannot be had. */
  readonly readSecret: () => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export function createKeyRing({ readSecret, now, telemetry }: KeyRingParts): KeyRing {
  let keys: readonly SigningKey[] = [];
  let goodAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  const secondsSince = (moment: number): number => (now() - moment) / 1000;

  async function read(): Promise<void> {
    triedAt = now();
    try {
      keys = signingKeysOf(parseKeySecret(await readSecret()));
      goodAt = triedAt;
      telemetry.log('info', 'secret read', {
        keys: keys.length,
        key_ids: keys.map(({ id }) => id).join(' '),
      });
    } catch (error) {
      telemetry.count(metricNames.secretReadFailed);
      telemetry.log('error', 'secret read failed', describe(error));
    }
  }

  function usable(): readonly SigningKey[] {
    return secondsSince(goodAt) <= secretStaleSecondsMax ? keys : [];
  }

  return {
    async current() {
      const pause = usable().length === 0 ? secretRetrySeconds : secretRereadCooldownSeconds;
      if (secondsSince(goodAt) > secretMaxAgeSeconds && secondsSince(triedAt) >= pause) await read();
      return usable();
    },
    async reread() {
      if (secondsSince(triedAt) < secretRereadCooldownSeconds) return undefined;
      await read();
      return usable();
    },
  };
}

/** Only our own messages are known not to quote the secret. */
function describe(error: unknown): { error_name: string; reason?: string } {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  return error.name === 'MalformedSecretError'
    ? { error_name: error.name, reason: error.message }
    : { error_name: error.name };
}
