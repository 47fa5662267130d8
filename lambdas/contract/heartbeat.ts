import { createHeartbeatKey, heartbeatKeyPattern, type SigningKey } from '../domain/signature.ts';
import { MalformedSecretError } from './key-secret.ts';

/** The header that makes the verifier try the key of heartbeats, and no private key. */
export const heartbeatHeader = { name: 'payhooks-heartbeat', value: '1' } as const;

export const heartbeatIntervalMinutes = 5;
/** Below the interval, so that heartbeats never overlap. */
export const heartbeatTimeoutSeconds = 30;
/** One delivery, from the look-up of the name to the end of the response. */
export const heartbeatPostMillisecondsMax = 15_000;
/** A heartbeat that returns later than the next one was sent does not count: events are late. */
export const heartbeatReturnSecondsMax = heartbeatIntervalMinutes * 60;
/** The call of the dead man's switch. */
export const deadMansSwitchMillisecondsMax = 5_000;
/** The response of the function that sends heartbeats. */
export interface SentHeartbeat {
  /** Of the webhook's response; `null` when there was none. */
  readonly status: number | null;
  /** It returns with this id, which no other one has; `null` when none was sent. */
  readonly order_id: string | null;
  /** Why there was no response: no key, certificate or connection. */
  readonly error: string | null;
}

/** How long rows of heartbeats are kept: long enough to look at one, and few at any time. */
export const heartbeatRowSeconds = 24 * 60 * 60;
/** Nobody changes the key; a signature that does not match reads it again (`secretRereadCooldownSeconds`). */
export const heartbeatKeyMaxAgeSeconds = 60 * 60;

/** The key in the text of the secret, which CloudFormation generates. Throws a `MalformedSecretError`. */
export function parseHeartbeatKey(text: string): SigningKey<'heartbeat'> {
  if (!heartbeatKeyPattern.test(text)) {
    throw new MalformedSecretError('The heartbeat key is not 64 lowercase hexadecimal digits.');
  }
  return createHeartbeatKey(text);
}
