import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { keyIdOf } from '../domain/signature.ts';
import { MalformedSecretError } from './key-secret.ts';
import type { QueueMessage } from './queue-message.ts';

/** A key that verifier and consumer share. It does not contain the key's text. */
export interface SealKey {
  /** Identifies the key in logs without revealing it. */
  readonly id: string;
  readonly secret: KeyObject;
}

/** The keys change every month, and are known a month before. */
export const sealKeysMaxAgeSeconds = 60 * 60;
/** A key opens seals for this long after it made the last one: longer than both queues keep a message. */
export const sealRotationDays = 30;
export const sealRotationTimeoutSeconds = 30;

const keyDigits = 64;
const keysInSecret = 3;
export const sealSecretDigits = keysInSecret * keyDigits;
const secretPattern = new RegExp(`^[0-9a-f]{${sealSecretDigits}}$`);

/**
 * The keys in the text of the secret: the next one, the one that seals, and the one before. The next one is
 * known everywhere long before it seals, so that no consumer meets a key that it has not read. Throws a
 * `MalformedSecretError`.
 */
export function parseSealSecret(text: string): readonly SealKey[] {
  if (!secretPattern.test(text))
    throw new MalformedSecretError(
      `The seal secret is not ${sealSecretDigits} lowercase hexadecimal digits.`,
    );
  return Array.from({ length: keysInSecret }, (_, n) => {
    const key = text.slice(n * keyDigits, (n + 1) * keyDigits);
    return { id: keyIdOf(key), secret: createSecretKey(key, 'hex') };
  });
}

/** The text after a rotation. `newKey`: 64 hexadecimal digits. */
export const rotatedSealSecret = (text: string, newKey: string): string => newKey + text.slice(0, -keyDigits);

/** The key that seals: the second, or none if the secret could not be read. */
export const sealingKey = ([, key]: readonly SealKey[]): SealKey | undefined => key;

/** 64 lowercase hexadecimal digits. */
export const seal = (key: SealKey, message: QueueMessage): string => digest(key, message).toString('hex');

/** Whether one of the keys made the seal of exactly this message. */
export function isSealed(keys: readonly SealKey[], message: QueueMessage, given: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(given)) return false;
  const bytes = Buffer.from(given, 'hex');
  return keys.some((key) => timingSafeEqual(digest(key, message), bytes));
}

/** JSON holds no line end, so no two messages have the same text. */
function digest({ secret }: SealKey, message: QueueMessage): Buffer {
  const { body, mode, keyId, signature, receivedAt, requestId } = message;
  const facts = JSON.stringify([mode, keyId, signature, receivedAt, requestId]);
  return createHmac('sha256', secret).update(`payhooks seal\n${facts}\n`).update(body).digest();
}
