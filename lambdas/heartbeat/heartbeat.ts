import { type ClientCertificate, parseClientCertificate } from '../contract/client-certificate.ts';
import { heartbeatHeader, parseHeartbeatKey, type SentHeartbeat } from '../contract/heartbeat.ts';
import { type SigningKey, sign } from '../domain/signature.ts';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';
import type { Post } from './post.ts';

export interface HeartbeatParts {
  /** The registered URL, so that a wrong DNS name or certificate shows. */
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  readonly readKey: SecretReader;
  /** Set when the API requires a client certificate. */
  readonly readCertificate: SecretReader | undefined;
  readonly post: Post;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

/** The response is for an operator who invokes it: `payhooks smoke`. */
export type Heartbeat = () => Promise<SentHeartbeat>;

interface Credentials {
  readonly key: SigningKey<'heartbeat'>;
  readonly certificate: ClientCertificate | undefined;
}

/** Delivers a heartbeat. What fails is only logged: one that does not return raises the alarm. */
export function createHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { telemetry } = parts;
  let credentials: Credentials | undefined;

  return async function send() {
    const sentAt = new Date(parts.now());
    const order_id = heartbeatOrderId(sentAt, parts.newId);
    try {
      credentials ??= await readCredentials(parts);
      const status = await deliver(parts, credentials, heartbeatEvent(order_id, sentAt, parts.newId));
      if (status === 202) telemetry.log('notice', 'heartbeat sent', { status, order_id });
      else telemetry.log('error', 'heartbeat refused', { status, order_id });
      // Either may have been replaced since it was read.
      if (status !== 202) credentials = undefined;
      return { status, order_id, error: null };
    } catch (error) {
      // No message of these errors quotes a secret.
      telemetry.log('error', 'heartbeat not sent', errorFields(error));
      credentials = undefined;
      return { status: null, order_id: null, error: error instanceof Error ? error.message : 'unknown' };
    }
  };
}

async function readCredentials({ readKey, readCertificate }: HeartbeatParts): Promise<Credentials> {
  const key = parseHeartbeatKey(await readKey());
  const text = await readCertificate?.().catch(undefinedIfEmpty);
  return { key, certificate: text === undefined ? undefined : parseClientCertificate(text) };
}

/** None is needed if the registered URL is that of a firewall, which presents its own certificate. */
function undefinedIfEmpty(error: unknown): undefined {
  const isEmpty = error instanceof SecretRefusedError && error.code === 'ResourceNotFoundException';
  if (!isEmpty) throw error;
}

function deliver(
  parts: HeartbeatParts,
  { key, certificate }: Credentials,
  body: Uint8Array,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    [parts.signatureHeader]: sign(key, body),
    [heartbeatHeader.name]: heartbeatHeader.value,
  };
  return parts.post(parts.webhookUrl, { headers, body, certificate });
}

/** An order id that nobody else names. It begins with the time of sending. */
const heartbeatOrderId = (sentAt: Date, newId: () => string): string => `${sentAt.toISOString()} ${newId()}`;

/** The body of a heartbeat: a small event as API document 2.3 describes them. */
function heartbeatEvent(orderId: string, sentAt: Date, newId: () => string): Buffer {
  const event = {
    id: newId(),
    event_name: 'transaction.paid',
    sandbox: true,
    payload: {
      transaction: {
        id: newId(),
        amount: '0.01',
        status: 1,
        currency: 'USD',
        order_id: orderId,
        created_at: sentAt.toISOString().replace('Z', '000Z'),
      },
    },
  };
  return Buffer.from(JSON.stringify(event));
}
