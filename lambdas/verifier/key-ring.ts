import { heartbeatKeyMaxAgeSeconds, parseHeartbeatKey } from '../contract/heartbeat.ts';
import { MalformedSecretError, parseKeySecret, signingKeysOf } from '../contract/key-secret.ts';
import {
  secretMaxAgeSeconds,
  secretRereadCooldownSeconds,
  secretRetrySeconds,
  secretStaleSecondsMax,
} from '../contract/limits.ts';
import { parseSealSecret, type SealKey, sealKeysMaxAgeSeconds } from '../contract/seal.ts';
import type { AnyMode, SigningKey } from '../domain/signature.ts';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/** What this instance knows of the keys in a secret. */
export interface KnownKeys<Key = SigningKey<AnyMode>> {
  /** The keys to try; empty when none can be trusted, which is our fault and never the sender's. */
  readonly keys: readonly Key[];
  /** Whether the latest read succeeded. After any other, a key that we do not have may be the right one. */
  readonly isCertain: boolean;
}

/** The keys of this instance, and when they are read again. */
export interface KeyRing<Key = SigningKey<AnyMode>> {
  /** Read again when they are older; by default than the source allows. */
  current(maxAgeSeconds?: number): Promise<KnownKeys<Key>>;
  /**
   * The keys after a signature that none of them accepts: read again, so that a rotation takes effect at
   * once, but at most once per cool-down and instance, so that forgeries cause no flood of calls.
   */
  reread(): Promise<KnownKeys<Key>>;
}

interface StartingKeyRing<Key> extends KeyRing<Key> {
  /**
   * Reads the keys while the function starts, so that the first webhook finds them. Never rejects: after a
   * failure the first webhook reads them as if nothing had been tried.
   */
  prepare(): Promise<void>;
}

/** What a secret holds, and how often it is read. */
export interface KeySource<Key = SigningKey<AnyMode>> {
  /** Shown in the log; the private keys have none. */
  readonly name?: 'heartbeat' | 'seal';
  /** Throws a `MalformedSecretError`. */
  readonly parse: (text: string) => readonly Key[];
  readonly maxAgeSeconds: number;
  /** The pause between two attempts while there is no key. */
  readonly retrySeconds: number;
}

export const privateKeys: KeySource = {
  parse: (text) => signingKeysOf(parseKeySecret(text)),
  maxAgeSeconds: secretMaxAgeSeconds,
  retrySeconds: secretRetrySeconds,
};

/** The key of heartbeats. No request may cause more than one read of it per cool-down. */
export const heartbeatKeys: KeySource = {
  name: 'heartbeat',
  parse: (text) => [parseHeartbeatKey(text)],
  maxAgeSeconds: heartbeatKeyMaxAgeSeconds,
  retrySeconds: secretRereadCooldownSeconds,
};

/** The keys of seals, of verifier and consumer. The one that is used next is known for 30 days before. */
export const sealKeys: KeySource<SealKey> = {
  name: 'seal',
  parse: parseSealSecret,
  maxAgeSeconds: sealKeysMaxAgeSeconds,
  retrySeconds: secretRetrySeconds,
};

export interface KeyRingParts<Key = SigningKey<AnyMode>> {
  readonly readSecret: SecretReader;
  readonly source: KeySource<Key>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export function createKeyRing<Key extends { readonly id: string }>(
  parts: KeyRingParts<Key>,
): StartingKeyRing<Key> {
  const { readSecret, source, now, telemetry } = parts;
  const shown = source.name === undefined ? {} : { secret: source.name };
  const none: readonly Key[] = [];
  let keys = none;
  let goodAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let usableSeconds = secretStaleSecondsMax;
  // A clock that was set back makes the keys old, so that they are read again: never young.
  const secondsSince = (moment: number): number => Math.abs(now() - moment) / 1000;

  async function readNow(): Promise<void> {
    const startedAt = now();
    keys = source.parse(await readSecret());
    triedAt = startedAt;
    goodAt = startedAt;
    usableSeconds = secretStaleSecondsMax;
    telemetry.log('info', 'secret read', {
      ...shown,
      keys: keys.length,
      key_ids: keys.map(({ id }) => id).join(' '),
    });
  }

  async function read(): Promise<void> {
    triedAt = now();
    try {
      await readNow();
    } catch (error) {
      // The secret was changed, so a removed key may be among ours. An outage later is no reason to
      // trust them again.
      if (isOurOwn(error)) usableSeconds = source.maxAgeSeconds;
      telemetry.log('error', 'secret read failed', { ...shown, ...errorFields(error) });
    }
  }

  const known = (): KnownKeys<Key> => ({
    keys: secondsSince(goodAt) <= usableSeconds ? keys : none,
    isCertain: goodAt === triedAt,
  });

  return {
    async prepare() {
      await readNow().catch((error: unknown) => {
        telemetry.log('warn', 'secret not read at start', { ...shown, ...errorFields(error) });
      });
    },
    async current(maxAgeSeconds = source.maxAgeSeconds) {
      const pause = known().keys.length === 0 ? source.retrySeconds : secretRereadCooldownSeconds;
      if (secondsSince(goodAt) > maxAgeSeconds && secondsSince(triedAt) >= pause) await read();
      return known();
    },
    async reread() {
      if (secondsSince(triedAt) >= secretRereadCooldownSeconds) await read();
      return known();
    },
  };
}

/** The errors that are no outage; only their messages are known not to quote the secret. */
const isOurOwn = (error: unknown): error is MalformedSecretError | SecretRefusedError =>
  error instanceof MalformedSecretError || error instanceof SecretRefusedError;

function errorFields(error: unknown): { error_name: string; reason?: string } {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  return isOurOwn(error) ? { error_name: error.name, reason: error.message } : { error_name: error.name };
}
