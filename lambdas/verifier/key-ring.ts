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

/** The private keys of this instance, and when they are read again. */
export interface KeyRing {
  /** The keys to try; empty when none can be trusted, which is our fault and never the sender's. */
  current(): Promise<readonly SigningKey[]>;
  /**
   * The keys after a mismatch: read again, so that a rotation takes effect at once, but at most once per
   * cool-down and instance, so that forgeries cause no flood of calls. `undefined` during the cool-down.
   */
  reread(): Promise<readonly SigningKey[] | undefined>;
}

export interface KeyRingParts {
  /** The text of the secret. Throws when it cannot be read. */
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
      telemetry.log('error', 'secret read failed', errorFields(error));
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
function errorFields(error: unknown): { error_name: string; reason?: string } {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  return error.name === 'MalformedSecretError'
    ? { error_name: error.name, reason: error.message }
    : { error_name: error.name };
}
