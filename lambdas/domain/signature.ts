import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Live and sandbox never meet: the key that matched decides (API document 5.2). */
export type Mode = 'live' | 'sandbox';

/** `heartbeat`: events that the stack sends to itself. No caller can name this mode or see its rows. */
export type AnyMode = Mode | 'heartbeat';

/** A private key, ready to sign. It does not contain the key's text, so no log line can print it. */
export interface SigningKey<M extends AnyMode = Mode> {
  /** Twelve hex digits that identify the key in logs and rows without revealing it. */
  readonly id: string;
  readonly mode: M;
  readonly secret: KeyObject;
  /** From this moment on (milliseconds since the epoch) the key is no longer accepted. */
  readonly acceptedUntil?: number;
}

export type SignatureVerdict<M extends AnyMode = Mode> =
  | { readonly ok: true; readonly key: SigningKey<M> }
  | { readonly ok: false; readonly reason: 'missing' | 'malformed' | 'mismatch' }
  | { readonly ok: false; readonly reason: 'key_expired'; readonly key: SigningKey<M> };

/** API document 5.1 and 5.2: `pri_<identifier>` is live, `pri_sandbox_<identifier>` is sandbox. */
export const privateKeyPattern = /^pri_[\x21-\x7e]{1,500}$/;

export function createSigningKey(privateKey: string, acceptedUntil?: number): SigningKey {
  if (!privateKeyPattern.test(privateKey)) {
    throw new TypeError('A private key has the form pri_<identifier>, printable ASCII without spaces.');
  }
  return {
    id: keyIdOf(privateKey),
    mode: privateKey.startsWith('pri_sandbox_') ? 'sandbox' : 'live',
    // A KeyObject does not print its key, and signs several times as fast as a Buffer.
    secret: createSecretKey(privateKey, 'utf8'),
    ...(acceptedUntil === undefined ? {} : { acceptedUntil }),
  };
}

/** The key of heartbeats, which only the stack knows: 256 bits. No private key has this form. */
export const heartbeatKeyPattern = /^[0-9a-f]{64}$/;

export function createHeartbeatKey(text: string): SigningKey<'heartbeat'> {
  return { id: keyIdOf(text), mode: 'heartbeat', secret: createSecretKey(text, 'utf8') };
}

/** The prefix separates this hash from every other use of the key. */
export const keyIdOf = (key: string): string =>
  createHash('sha256').update(`payhooks key id:${key}`).digest('hex').slice(0, 12);

/**
 * The header value for a body: the lowercase hexadecimal HMAC-SHA256 of its bytes (API document 6, rules 1,
 * 2).
 */
export function sign(key: SigningKey<AnyMode>, body: Uint8Array): string {
  return digest(key, body).toString('hex');
}

/**
 * Why a header holds no signature, whatever the keys; a header that was not sent is an empty one. Node's hex
 * decoder accepts upper case and trailing junk, and two headers arrive joined by a comma.
 */
export function formFault(header: string): 'missing' | 'malformed' | undefined {
  if (header === '') return 'missing';
  return /^[0-9a-f]{64}$/.test(header) ? undefined : 'malformed';
}

/**
 * Whether `header` is the signature of `body` under one of `keys` at `now` (milliseconds since the epoch).
 * Every key is tried, even after a match, so that timing does not reveal which one matched.
 */
export function verify<M extends AnyMode>(
  keys: readonly SigningKey<M>[],
  signed: { readonly header: string; readonly body: Uint8Array; readonly now: number },
): SignatureVerdict<M> {
  const fault = formFault(signed.header);
  if (fault !== undefined) return { ok: false, reason: fault };
  const given = Buffer.from(signed.header, 'hex');
  let matched: SigningKey<M> | undefined;
  let expired: SigningKey<M> | undefined;
  for (const key of keys) {
    const isEqual = timingSafeEqual(digest(key, signed.body), given);
    if (isEqual && isAccepted(key, signed.now)) matched = key;
    else if (isEqual) expired = key;
  }
  if (matched !== undefined) return { ok: true, key: matched };
  return expired === undefined
    ? { ok: false, reason: 'mismatch' }
    : { ok: false, reason: 'key_expired', key: expired };
}

/** Whether signatures under the key count at `now` (milliseconds since the epoch). */
export function isAccepted({ acceptedUntil }: Pick<SigningKey, 'acceptedUntil'>, now: number): boolean {
  return acceptedUntil === undefined || now < acceptedUntil;
}

function digest(key: SigningKey<AnyMode>, body: Uint8Array): Buffer {
  return createHmac('sha256', key.secret).update(body).digest();
}
