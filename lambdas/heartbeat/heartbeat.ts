import type { EventBridgeEvent } from 'aws-lambda';
import { type ClientCertificate, parseClientCertificate } from '../contract/client-certificate.ts';
import {
  heartbeatHeader,
  heartbeatReturnSecondsMax,
  parseHeartbeatKey,
  type SentHeartbeat,
} from '../contract/heartbeat.ts';
import { metricNames } from '../contract/metrics.ts';
import { type SigningKey, sign } from '../domain/signature.ts';
import { heartbeatSource } from '../order-feed/order-status-changed.ts';
import type { Get } from '../ports/get.ts';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';
import type { DeadMansSwitch } from './dead-mans-switch.ts';
import type { Post } from './post.ts';

export interface HeartbeatParts {
  /** The registered URL, so that a wrong DNS name or certificate shows. */
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  readonly readKey: SecretReader;
  /** Set when the API requires a client certificate. */
  readonly readCertificate: SecretReader | undefined;
  readonly post: Post;
  /** Reads this URL as an order system does. */
  readonly get: Get;
  readonly orderQueryUrl: string;
  /** Absent without the setting `deadMansSwitchUrl`. */
  readonly callSwitch?: DeadMansSwitch | undefined;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export type BusEvent = Pick<EventBridgeEvent<string, { readonly order_id?: string }>, 'source' | 'detail'>;

/** The response is for an operator who invokes it: `payhooks smoke`. */
export type Heartbeat = (event: BusEvent) => Promise<SentHeartbeat | undefined>;

interface Credentials {
  readonly key: SigningKey<'heartbeat'>;
  readonly certificate: ClientCertificate | undefined;
}

/**
 * Both ends of the heartbeat: invoked by the schedule it delivers one, and invoked by the bus it counts one
 * that went in time through verifier, queue, consumer, tables and feed, and that the order query returns.
 * What fails is only logged, because the missing count raises the alarm, whatever the reason is.
 */
export function createHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { telemetry } = parts;
  let credentials: Credentials | undefined;

  async function send(): Promise<SentHeartbeat> {
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
  }

  async function receive(order_id = ''): Promise<void> {
    const seconds = (parts.now() - sentAtOf(order_id)) / 1_000;
    if (Number.isNaN(seconds)) return telemetry.log('error', 'heartbeat unreadable');
    if (seconds > heartbeatReturnSecondsMax)
      return telemetry.log('error', 'heartbeat late', { seconds, order_id });
    try {
      await readOrder(parts, order_id);
    } catch (error) {
      const fields = { order_id, ...errorFields(error) };
      return telemetry.log('error', 'heartbeat not readable through the order query', fields);
    }
    telemetry.measure(metricNames.heartbeatReturned, seconds, 'Seconds');
    telemetry.log('notice', 'heartbeat returned', { seconds, order_id });
    await parts.callSwitch?.().catch((error: unknown) => {
      telemetry.log('error', "dead man's switch not called", errorFields(error));
    });
    telemetry.flush();
  }

  return async function beat({ source, detail }) {
    if (source !== heartbeatSource) return send();
    await receive(detail.order_id);
    return undefined;
  };
}

/** Rejects unless the order query returns the order as the heartbeat paid it. */
async function readOrder({ get, orderQueryUrl }: HeartbeatParts, orderId: string): Promise<void> {
  const url = `${orderQueryUrl}/orders/${encodeURIComponent(orderId)}?mode=heartbeat`;
  const { status } = JSON.parse(await get(url)) as { readonly status?: unknown };
  if (status !== 'paid') throw new Error(`The order is ${JSON.stringify(status)}; expected "paid".`);
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

/** Milliseconds since the epoch; `NaN` for any other order id. */
const sentAtOf = (orderId = ''): number => Date.parse(sentAtPattern.exec(orderId)?.[0] ?? '');

const sentAtPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= )/;
