import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { acceptedCountSeconds, refusalWeights } from '../contract/alarm-thresholds.ts';
import { heartbeatHeader, heartbeatKeyMaxAgeSeconds } from '../contract/heartbeat.ts';
import { bodyBytesMax, retryAfterSeconds } from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import type { SealedMessage } from '../contract/queue-message.ts';
import { type SealKey, seal, sealingKey } from '../contract/seal.ts';
import { invalidSignatureMessage } from '../contract/webhook-responses.ts';
import { type AnyMode, formFault, isAccepted, type SignatureVerdict, verify } from '../domain/signature.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';
import type { KeyRing, KnownKeys } from './key-ring.ts';
import { createRefusalReport } from './refusal-report.ts';

export interface VerifierParts {
  /** The name of the signature header in lower case, as API Gateway passes it. */
  readonly signatureHeader: string;
  readonly keys: KeyRing;
  /** The keys for requests with the header of heartbeats; absent in a stack without heartbeats. */
  readonly heartbeatKeys?: KeyRing | undefined;
  readonly sealKeys: KeyRing<SealKey>;
  /** Reports that a webhook was accepted; set when silence would raise an alarm. */
  readonly countAccepted?: (() => void) | undefined;
  /** Resolves only after SQS has confirmed the message: 2xx means stored. */
  readonly enqueue: (message: SealedMessage) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export type Verifier = (event: APIGatewayProxyEventV2) => Promise<Response>;

type Response = APIGatewayProxyStructuredResultV2;

/** Every way not to accept a webhook. A 503 is our own fault; with the others we know that it is wrong. */
const rejections = {
  missing: [403, metricNames.signatureUnreadable, refusalWeights.missing],
  malformed: [403, metricNames.signatureUnreadable, refusalWeights.malformed],
  mismatch: [403, metricNames.signatureMismatch, refusalWeights.mismatch],
  key_expired: [403, metricNames.signatureKeyExpired, refusalWeights.key_expired],
  too_large: [413, metricNames.bodyTooLarge, refusalWeights.too_large],
  keys_unavailable: [503, metricNames.keysUnavailable, undefined],
  keys_expired: [503, metricNames.keysUnavailable, undefined],
  seal_unavailable: [503, metricNames.keysUnavailable, undefined],
  queue_unavailable: [503, metricNames.queueUnavailable, undefined],
} as const;

const responses = {
  202: jsonResponse(202, { status: 'accepted' }),
  403: jsonResponse(403, { message: invalidSignatureMessage }),
  413: jsonResponse(413, { message: `The body exceeds ${bodyBytesMax} bytes` }),
  503: jsonResponse(503, { message: 'Service unavailable' }, { 'retry-after': String(retryAfterSeconds) }),
} as const;

/**
 * `POST /webhooks/payments`: 202 once the signed bytes are in the queue, the same 403 for every signature
 * failure, 413 above 256 KiB, 503 for our own faults. The body is never parsed here: the bytes are the truth.
 */
export function createVerifier(parts: VerifierParts): Verifier {
  const { telemetry } = parts;
  const report = createRefusalReport(parts);
  return async function verifyWebhook(event) {
    const receivedAt = new Date(parts.now()).toISOString();
    const request_id = event.requestContext.requestId;
    const body = rawBody(event);
    const signature = event.headers[parts.signatureHeader] ?? '';
    const reject = (reason: keyof typeof rejections, more: LogFields = {}): Response => {
      const [status, metric, weight] = rejections[reason];
      const [level, message] =
        status === 503 ? (['error', 'webhook failed'] as const) : (['warn', 'webhook refused'] as const);
      const fields = { request_id, status, reason, bytes: body.length, ...more };
      report.add({ level, message, metric, weight, fields });
      return responses[status];
    };
    try {
      // The form first: it costs no AWS call, and what was never signed raises no alarm about its size.
      const form = formFault(signature);
      if (form !== undefined) return reject(form);
      if (body.length > bodyBytesMax) return reject('too_large');
      const keys = keysFor(parts, event);
      // At the same time, so that a new instance responds as soon. It never rejects.
      const sealing = parts.sealKeys.current();
      const verdict = await verifySignature(keys, { header: signature, body, now: parts.now() });
      if ('fault' in verdict) return reject(verdict.fault);
      if (!verdict.ok) return reject(verdict.reason, keyIn(verdict));
      const { id: keyId, mode } = verdict.key;
      const seals = await sealing;
      const sealKey = sealingKey(seals.keys);
      if (sealKey === undefined) return reject('seal_unavailable');
      // Webhooks still pass with the last good keys: a heartbeat shows the fault before those end.
      if (mode === 'heartbeat' && !(seals.isCertain && (await keysAreRead(parts))))
        return reject('keys_unavailable');
      const message = { body, mode, keyId, signature, receivedAt, requestId: request_id };
      try {
        await parts.enqueue({ ...message, seal: seal(sealKey, message) });
      } catch (error) {
        return reject('queue_unavailable', { error_name: error instanceof Error ? error.name : undefined });
      }
      if (mode !== 'heartbeat') parts.countAccepted?.();
      const accepted = { request_id, mode, key_id: keyId, bytes: body.length };
      telemetry.log(mode === 'heartbeat' ? 'notice' : 'info', 'webhook accepted', accepted);
      return responses[202];
    } finally {
      report.flush();
      telemetry.flush();
    }
  };
}

/**
 * The bytes as they were sent: API Gateway passes `text/*` and `application/json|xml|javascript` as text,
 * everything else, also a body without a content type, as base64. An empty body has no `body` key.
 */
function rawBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/** The header of heartbeats chooses the keys to try, and nothing else. */
function keysFor({ keys, heartbeatKeys }: VerifierParts, { headers }: APIGatewayProxyEventV2): KeyRing {
  return headers[heartbeatHeader.name] === heartbeatHeader.value ? (heartbeatKeys ?? keys) : keys;
}

/** Read once an hour on a quiet stack, as each read is billed, and again after one that failed. */
const keysAreRead = async ({ keys }: VerifierParts): Promise<boolean> =>
  (await keys.current(heartbeatKeyMaxAgeSeconds)).isCertain || (await keys.reread()).isCertain;

async function verifySignature(
  keys: KeyRing,
  signed: { readonly header: string; readonly body: Buffer; readonly now: number },
): Promise<SignatureVerdict<AnyMode> | { readonly fault: KeyFault }> {
  const first = await keys.current();
  const verdict = verify(first.keys, signed);
  if (verdict.ok) return verdict;
  const latest = await keys.reread();
  const second = latest.keys === first.keys ? verdict : verify(latest.keys, signed);
  if (second.ok) return second;
  const fault = keyFault(latest, signed.now);
  return fault === undefined ? second : { fault };
}

type KeyFault = 'keys_unavailable' | 'keys_expired';

/** Why our keys cannot prove that a signature is wrong; `undefined` when they can. */
function keyFault({ keys, isCertain }: KnownKeys, now: number): KeyFault | undefined {
  if (!isCertain) return 'keys_unavailable';
  return keys.some((key) => isAccepted(key, now)) ? undefined : 'keys_expired';
}

/** Which key has expired. */
const keyIn = (refusal: Exclude<SignatureVerdict<AnyMode>, { readonly ok: true }>): LogFields =>
  refusal.reason === 'key_expired' ? { key_id: refusal.key.id, mode: refusal.key.mode } : {};

function jsonResponse(
  statusCode: number,
  body: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Counts that webhooks are accepted, rarely: for the alarm on silence one is as good as many. */
export function createAcceptedCount({
  now,
  telemetry,
}: Pick<VerifierParts, 'now' | 'telemetry'>): () => void {
  let countedAt = Number.NEGATIVE_INFINITY;
  return function countAccepted() {
    if (Math.abs(now() - countedAt) < acceptedCountSeconds * 1_000) return;
    countedAt = now();
    telemetry.count(metricNames.webhooksAccepted);
  };
}
