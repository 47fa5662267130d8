import type { EventBridgeEvent } from 'aws-lambda';
import { heartbeatReturnSecondsMax } from '../contract/heartbeat.ts';
import type { Get } from '../ports/get.ts';
import { errorFields, type LogFields, type Telemetry } from '../ports/telemetry.ts';
import type { DeadMansSwitch } from './dead-mans-switch.ts';

export interface HeartbeatReturnParts {
  /** Reads this URL as an order system does. */
  readonly get: Get;
  readonly orderQueryUrl: string;
  /** Absent without the setting `deadMansSwitchUrl`. */
  readonly callSwitch?: DeadMansSwitch | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

export type HeartbeatReturn = (
  event: Pick<EventBridgeEvent<string, { readonly order_id?: string }>, 'detail'>,
) => Promise<void>;

/** It came late, or not as an order system would read it. */
class HeartbeatLostError extends Error {
  override readonly name = 'HeartbeatLostError';
}

/**
 * The end of the heartbeat, invoked by the bus. It succeeds when the heartbeat went in time through verifier,
 * queue, consumer, tables and feed, and the order query returns its order; otherwise it throws. The alarm
 * goes by successful runs, which Lambda counts.
 */
export function createHeartbeatReturn(parts: HeartbeatReturnParts): HeartbeatReturn {
  const { telemetry } = parts;
  const lost = (message: string, fields: LogFields = {}): HeartbeatLostError => {
    telemetry.log('error', message, fields);
    return new HeartbeatLostError(message);
  };

  return async function receive({ detail: { order_id = '' } }) {
    const seconds = (parts.now() - sentAtOf(order_id)) / 1_000;
    if (Number.isNaN(seconds)) throw lost('heartbeat unreadable');
    if (seconds > heartbeatReturnSecondsMax) throw lost('heartbeat late', { seconds, order_id });
    try {
      await readOrder(parts, order_id);
    } catch (error) {
      throw lost('heartbeat not readable through the order query', { order_id, ...errorFields(error) });
    }
    telemetry.log('notice', 'heartbeat returned', { seconds, order_id });
    await parts.callSwitch?.().catch((error: unknown) => {
      telemetry.log('error', "dead man's switch not called", errorFields(error));
    });
  };
}

/** Rejects unless the order query returns the order as the heartbeat paid it. */
async function readOrder({ get, orderQueryUrl }: HeartbeatReturnParts, orderId: string): Promise<void> {
  const url = `${orderQueryUrl}/orders/${encodeURIComponent(orderId)}?mode=heartbeat`;
  const { status } = JSON.parse(await get(url)) as { readonly status?: unknown };
  if (status !== 'paid') throw new Error(`The order is ${JSON.stringify(status)}; expected "paid".`);
}

/** Milliseconds since the epoch; `NaN` for any other order id. */
const sentAtOf = (orderId: string): number => Date.parse(sentAtPattern.exec(orderId)?.[0] ?? '');

const sentAtPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= )/;
