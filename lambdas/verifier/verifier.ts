import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { heartbeatHeader } from '../contract/heartbeat.ts';
import { bodyBytesMax, retryAfterSeconds } from '../contract/limits.ts';
import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { QueueMessage } from '../contract/queue-message.ts';
import { invalidSignatureMessage } from '../contract/webhook-responses.ts';
import { type AnyMode, formFault, isAccepted, type SignatureVerdict, verify } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { KeyRing, KnownKeys } from './key-ring.ts';
import { createRefusalReport, type RefusalReport } from './refusal-report.ts';

export interface VerifierParts {
  /** The name of the signature header in lower case, as API Gateway passes it. */
  readonly signatureHeader: string;
  readonly keys: KeyRing;
  /** The keys for requests with the header of heartbeats; absent in a stack without heartbeats. */
  readonly heartbeatKeys?: KeyRing | undefined;
  /** Reports that a webhook was accepted; set when silence would raise an alarm. */
  readonly countAccepted?: (() => void) | undefined;
  /** Resolves only after SQS has confirmed the message: 2xx means stored. */
  readonly enqueue: (message: Required<QueueMessage>) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export type Verifier = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** We know that the signature is wrong: 403. */
type Refusal = Exclude<SignatureVerdict<AnyMode>, { readonly ok: true }>;
/** We could not do our part: 503. */
type FaultReason = 'keys_unavailable' | 'keys_expired' | 'queue_unavailable';

const refusalMetrics: Readonly<Record<Refusal['reason'], MetricName>> = {
  missing: metricNames.signatureUnreadable,
  malformed: metricNames.signatureUnreadable,
  mismatch: metricNames.signatureMismatch,
  key_expired: metricNames.signatureKeyExpired,
};

const faultMetrics: Readonly<Record<FaultReason, MetricName>> = {
  keys_unavailable: metricNames.keysUnavailable,
  keys_expired: metricNames.keysUnavailable,
  queue_unavailable: metricNames.queueUnavailable,
};

/**
 * `POST /webhooks/payments`: 202 once the signed bytes are in the queue, the same 403 for every signature
 * failure, 413 above 256 KiB, 503 for our own faults. The body is never parsed here: the bytes are the truth.
 */
export function createVerifier(parts: VerifierParts): Verifier {
  const { telemetry } = parts;
  const report = createRefusalReport(parts);
  return async function verifyWebhook(event) {
    const receivedAt = new Date(parts.now()).toISOString();
    const requestId = event.requestContext.requestId;
    const body = rawBody(event);
    const signature = event.headers[parts.signatureHeader] ?? '';
    try {
      // The form first: it costs no AWS call, and what was never signed raises no alarm about its size.
      const form = formFault(signature);
      if (form !== undefined) return refuse(report, requestId, { ok: false, reason: form });
      if (body.length > bodyBytesMax) return refuseSize(report, requestId);
      const keys = keysFor(parts, event);
      const verdict = await verifySignature(keys, { header: signature, body, now: parts.now() });
      if ('fault' in verdict) return fail(report, requestId, { reason: verdict.fault });
      if (!verdict.ok) return refuse(report, requestId, verdict);
      const { id: keyId, mode } = verdict.key;
      try {
        await parts.enqueue({ body, mode, keyId, signature, receivedAt, requestId });
      } catch (error) {
        return fail(report, requestId, { reason: 'queue_unavailable', error });
      }
      if (mode !== 'heartbeat') parts.countAccepted?.();
      telemetry.log(mode === 'heartbeat' ? 'notice' : 'info', 'webhook accepted', {
        request_id: requestId,
        mode,
        key_id: keyId,
        bytes: body.length,
      });
      return jsonResponse(202, { status: 'accepted' });
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

async function verifySignature(
  keys: KeyRing,
  signed: { readonly header: string; readonly body: Buffer; readonly now: number },
): Promise<SignatureVerdict<AnyMode> | { readonly fault: FaultReason }> {
  const first = await keys.current();
  const verdict = verify(first.keys, signed);
  if (verdict.ok) return verdict;
  const latest = await keys.reread();
  const second = latest.keys === first.keys ? verdict : verify(latest.keys, signed);
  if (second.ok) return second;
  const fault = keyFault(latest, signed.now);
  return fault === undefined ? second : { fault };
}

/** Why our keys cannot prove that a signature is wrong; `undefined` when they can. */
function keyFault({ keys, isCertain }: KnownKeys, now: number): FaultReason | undefined {
  if (!isCertain) return 'keys_unavailable';
  return keys.some((key) => isAccepted(key, now)) ? undefined : 'keys_expired';
}

function refuse(
  report: RefusalReport,
  requestId: string,
  refusal: Refusal,
): APIGatewayProxyStructuredResultV2 {
  const { reason } = refusal;
  report.add({
    level: 'warn',
    message: 'webhook refused',
    metric: refusalMetrics[reason],
    fields: {
      request_id: requestId,
      status: 403,
      reason,
      ...(refusal.reason === 'key_expired' && { key_id: refusal.key.id, mode: refusal.key.mode }),
    },
  });
  return jsonResponse(403, { message: invalidSignatureMessage });
}

function refuseSize(report: RefusalReport, requestId: string): APIGatewayProxyStructuredResultV2 {
  report.add({
    level: 'warn',
    message: 'webhook refused',
    metric: metricNames.bodyTooLarge,
    fields: { request_id: requestId, status: 413, reason: 'too_large' },
  });
  return jsonResponse(413, { message: `The body exceeds ${bodyBytesMax} bytes` });
}

interface Fault {
  readonly reason: FaultReason;
  readonly error?: unknown;
}

function fail(report: RefusalReport, requestId: string, fault: Fault): APIGatewayProxyStructuredResultV2 {
  const { reason, error } = fault;
  const error_name = error instanceof Error ? error.name : undefined;
  report.add({
    level: 'error',
    message: 'webhook failed',
    metric: faultMetrics[reason],
    fields: { request_id: requestId, status: 503, reason, error_name },
  });
  return jsonResponse(503, { message: 'Service unavailable' }, { 'retry-after': String(retryAfterSeconds) });
}

function jsonResponse(
  statusCode: number,
  body: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
