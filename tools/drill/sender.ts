import { createHash } from 'node:crypto';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';

interface Delivery {
  readonly body: Uint8Array;
  readonly eventId: string;
  readonly key: string;
}

/** The payment service as the drills need it: it delivers again what was not acknowledged. */
export function createSender(webhookUrl: string, header: string) {
  /** Acknowledged with 2xx: none of these may be lost. */
  const acknowledged: Delivery[] = [];
  let pending: Delivery[] = [];

  async function attempt(delivery: Delivery, signature: string): Promise<number> {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [header]: signature },
      body: delivery.body,
    });
    await response.text();
    if (response.ok) acknowledged.push(delivery);
    return response.status;
  }
  const deliverSigned = async (delivery: Delivery): Promise<number> => {
    const status = await attempt(delivery, sign(createSigningKey(delivery.key), delivery.body));
    if (status >= 300) pending.push(delivery);
    return status;
  };

  return {
    /** Delivers an event that is signed with the key; what gets no 2xx is delivered again by `retry`. */
    deliver(event: { readonly id: string }, key: string): Promise<number> {
      return deliverSigned({ body: Buffer.from(JSON.stringify(event)), eventId: event.id, key });
    },
    /** Delivers an event under a signature that no key has made. */
    forge(event: { readonly id: string }): Promise<number> {
      const delivery = { body: Buffer.from(JSON.stringify(event)), eventId: event.id, key: '' };
      return attempt(delivery, createHash('sha256').update(event.id).digest('hex'));
    },
    /** Delivers again everything that is not acknowledged. Resolves with how much still is not. */
    async retry(): Promise<number> {
      const again = pending;
      pending = [];
      for (const delivery of again) await deliverSigned(delivery);
      return pending.length;
    },
    acknowledged: (): readonly Delivery[] => acknowledged,
    pending: (): number => pending.length,
  };
}
