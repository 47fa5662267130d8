import type { AnyMode } from '../domain/signature.ts';

/**
 * What the verifier sends to the consumer: the signed bytes, and the facts about them that only the verifier
 * knows.
 */
export interface QueueMessage {
  readonly body: Uint8Array;
  readonly mode: AnyMode;
  readonly keyId: string;
  /** 64 lowercase hexadecimal digits, as received. */
  readonly signature: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly requestId: string;
}

/** A message with the proof that the verifier sent it as it is (`seal.ts`). */
export interface SealedMessage extends QueueMessage {
  readonly seal: string;
}

/** The SQS message attributes, all of type String. */
export const messageAttributes = {
  mode: 'mode',
  keyId: 'key_id',
  signature: 'signature',
  receivedAt: 'received_at',
  requestId: 'request_id',
  seal: 'seal',
} as const;

/** SQS refuses an empty message body. A lone padding character is base64 for no bytes. */
const emptyBody = '=';

/** Base64, because raw JSON may hold characters that SQS refuses (U+FFFE, U+FFFF). */
export const encodeBody = (body: Uint8Array): string =>
  body.length === 0 ? emptyBody : Buffer.from(body).toString('base64');

/** The inverse of `encodeBody`; `undefined` for any other text (Node's decoder would accept anything). */
export function decodeBody(text: string): Uint8Array | undefined {
  if (text === emptyBody) return new Uint8Array(0);
  const body = Buffer.from(text, 'base64');
  return body.length > 0 && body.toString('base64') === text ? body : undefined;
}
