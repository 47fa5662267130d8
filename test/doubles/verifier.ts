import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import {
  createKeyRing,
  heartbeatKeys,
  privateKeys as privateKeySource,
  sealKeys,
} from '../../lambdas/verifier/key-ring.ts';
import { createVerifier, type VerifierParts } from '../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from './gateway-event.ts';
import { sealSecret } from './seal.ts';
import { recordTelemetry } from './telemetry.ts';

export const began = Date.parse('2026-11-21T10:00:00.000Z');
export const eventBytes = Buffer.from('{"id":"evt-1","name":"é\\u0000😀\uffff"}');
export const signedWith = (key: string, bytes: Uint8Array = eventBytes): string =>
  sign(createSigningKey(key), bytes);

/** A secret that the test sets, and how often it was read. */
export function createSecret(text: string | Error) {
  const secret = { text, reads: 0, onRead: () => {} };
  const read = async (): Promise<string> => {
    secret.reads += 1;
    secret.onRead();
    if (secret.text instanceof Error) throw secret.text;
    return secret.text;
  };
  return { secret, read };
}

export interface Webhook {
  readonly body?: Buffer;
  /** By default that of the body under the private key; an empty text sends no header. */
  readonly signature?: string;
  readonly base64?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The verifier over both secrets and a clock, in seconds since it began, that the test sets. */
export function setUpVerifier(text: string | Error = 'pri_test_key', change: Partial<VerifierParts> = {}) {
  const clock = { seconds: 0 };
  const parts = { now: () => began + clock.seconds * 1_000, telemetry: recordTelemetry() };
  const privateKeys = createSecret(text);
  const heartbeat = createSecret('0f'.repeat(32));
  const seals = createSecret(sealSecret);
  const queued: Parameters<VerifierParts['enqueue']>[0][] = [];
  const verifyWebhook = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: createKeyRing({ readSecret: privateKeys.read, source: privateKeySource, ...parts }),
    heartbeatKeys: createKeyRing({ readSecret: heartbeat.read, source: heartbeatKeys, ...parts }),
    sealKeys: createKeyRing({ readSecret: seals.read, source: sealKeys, ...parts }),
    enqueue: async (message) => void queued.push(message),
    ...parts,
    ...change,
  });
  const post = ({ body = eventBytes, signature, base64 = false, headers }: Webhook = {}) => {
    const signed = signature ?? signedWith('pri_test_key', body);
    return verifyWebhook(
      gatewayEvent({
        routeKey: 'POST /webhooks/payments',
        headers: { ...(signed !== '' && { 'x-service-signature': signed }), ...headers },
        isBase64Encoded: base64,
        ...(body.length > 0 && { body: body.toString(base64 ? 'base64' : 'utf8') }),
      }),
    );
  };
  return {
    clock,
    post,
    queued,
    secret: privateKeys.secret,
    heartbeat: heartbeat.secret,
    seals: seals.secret,
    ...parts,
  };
}
