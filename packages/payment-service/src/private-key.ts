import { createHmac } from 'node:crypto';

/** API document 5.1: `pri_<identifier>`. A colon would end the user name of a Basic credential. */
export const privateKeyPattern = /^pri_[\x21-\x39\x3b-\x7e]{1,500}$/;

/** API document 5.2. */
export const isSandboxKey = (privateKey: string): boolean => privateKey.startsWith('pri_sandbox_');

/** API document 6, rules 1 and 2: lowercase hexadecimal HMAC-SHA256 of the body's bytes. */
export function signatureOf(body: Uint8Array, privateKey: string): string {
  return createHmac('sha256', privateKey).update(body).digest('hex');
}
