import {
  createSender,
  type Delivery,
  noRetries,
  type RetrySchedule,
} from '@payhooks/payment-service/simulator';
import type { Mode } from '../../lambdas/domain/signature.ts';

/** Who signs a webhook that is posted without the simulated payment service. */
export type Signer = Mode | 'forger';

export interface Posting {
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  readonly privateKey: string;
  readonly sandboxKey: string;
  /** Of a signer that has a key. */
  readonly schedule?: RetrySchedule | undefined;
  readonly signal: AbortSignal;
}

/** A 503 in the first moments ends nothing. */
const defaultSchedule = { ...noRetries, pausesMilliseconds: [250, 1_000], attemptTimeoutMilliseconds: 5_000 };

/** Signs and posts a body, also what the payment service would never send. */
export function postSigned(body: Uint8Array, signer: Signer, posting: Posting): Promise<Delivery> {
  const { webhookUrl: url, signatureHeader, privateKey, sandboxKey, signal } = posting;
  const schedule = signer === 'forger' ? noRetries : (posting.schedule ?? defaultSchedule);
  const keys = { forger: 'pri_unknown_key', live: privateKey, sandbox: sandboxKey };
  const sender = createSender({ url, signatureHeader, schedule });
  return sender.deliver({ body, privateKey: keys[signer], signal });
}
