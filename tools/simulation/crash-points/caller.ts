import { createHmac } from 'node:crypto';
import type { GatewayResponse } from '../aws/gateway.ts';
import type { World } from '../world.ts';

const liveKey = 'pri_live';
const sandboxKey = 'pri_sandbox';
const againAfter = 2 * 60 * 1_000;

/** The value of the secret with the private keys. */
export const keySecret = JSON.stringify({ private_keys: [{ key: liveKey }, { key: sandboxKey }] });

/** The fields of an event's body that the run chooses. */
export interface Webhook {
  readonly id: string;
  readonly action?: string;
  readonly order?: string;
  readonly transaction?: string;
  readonly amount?: string;
  readonly isSandbox?: boolean;
  /** By default the key of the body's mode. */
  readonly key?: 'live' | 'sandbox' | 'forged';
  /** Other bytes without another meaning. */
  readonly attempt?: number;
}

/** A payment service and an operator, who repeat what got no response until they have one. */
export function createCaller(world: World, onStatus: (text: string) => void) {
  async function untilAnswered(
    what: string,
    call: () => Promise<GatewayResponse>,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const { status, body } = await call();
      const response: Record<string, unknown> = JSON.parse(body);
      if (status < 500 && response['retry_after_seconds'] == null) {
        onStatus(`${what}: ${status}`);
        return response;
      }
      await world.clock.pause(againAfter);
    }
  }

  function deliver(what: string, body: Buffer, key: string) {
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
    const routeKey = 'POST /webhooks/payments';
    return untilAnswered(what, () => world.gateway({ stage: 'verifier', routeKey, headers, body }));
  }

  return {
    send(webhook: Webhook) {
      const { id, action = 'paid', isSandbox = false, attempt } = webhook;
      const { key = isSandbox ? 'sandbox' : 'live', order, transaction, amount = '100.00' } = webhook;
      const payload = { transaction: { id: transaction, amount, currency: 'EUR', order_id: order } };
      const event = { id, event_name: `transaction.${action}`, sandbox: isSandbox, payload, attempt };
      const keys = { live: liveKey, sandbox: sandboxKey, forged: 'pri_forged' };
      return deliver(id, Buffer.from(JSON.stringify(event)), keys[key]);
    },
    sendText: (text: string) => deliver(text, Buffer.from(text), liveKey),
    act(name: string, fields: object) {
      const body = Buffer.from(JSON.stringify({ reason: 'checked', ...fields }));
      const headers = { 'content-type': 'application/json' };
      const request = { stage: 'operations', routeKey: `POST /operations/${name}`, headers, body } as const;
      const userArn = 'arn:aws:iam::111111111111:user/ann';
      return untilAnswered(name, () => world.gateway({ ...request, userArn }));
    },
    read(routeKey: string, pathParameters: Record<string, string> = {}, query: Record<string, string> = {}) {
      const request = { stage: 'order-query', routeKey, headers: {}, pathParameters, query } as const;
      return untilAnswered(routeKey, () => world.gateway(request));
    },
  };
}
