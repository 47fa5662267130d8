import { randomBytes } from 'node:crypto';
import { assumedScopes, createSimulator, type Simulator } from '@payhooks/payment-service/simulator';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import type { PrivateKeys } from './keys.ts';
import { portError } from './port-error.ts';

export interface PaymentServiceOptions {
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Whether to take a free port when that one is in use. */
  readonly otherwiseAnyPort: boolean;
  /** How the stack authenticates at the payment service; by default as its app says. */
  readonly authentication?: 'oauth' | undefined;
}

export interface PaymentService {
  readonly simulator: Simulator;
  /** The first value of the secret with the OAuth tokens. */
  readonly tokenSecret: string;
}

export interface PaymentServiceParts {
  readonly options: PaymentServiceOptions;
  readonly keys: PrivateKeys;
  /** The header for signatures, which is known only after the synthesis. */
  readonly signatureHeader: () => string;
  /** Milliseconds since the epoch; access tokens expire by it. */
  readonly clock: () => number;
  readonly onProgress: (sentence: string) => void;
}

/**
 * The simulator of the payment service, with one account that has the keys of this run. It is another party,
 * so it has a port of its own; and it keeps nothing, so a restart begins without registered webhooks.
 */
export async function startPaymentService(parts: PaymentServiceParts): Promise<PaymentService> {
  const { options, keys, clock, signatureHeader, onProgress } = parts;
  const secret = (prefix: string): string => `${prefix}${randomBytes(24).toString('hex')}`;
  // Without an access token: the stack requests its first one.
  const client = {
    clientId: 'payhooks-local',
    clientSecret: secret('secret_'),
    refreshToken: secret('refresh_'),
    scopes: [...new Set(['view-webhooks', ...Object.values(assumedScopes)])],
  };
  const account = { name: 'local', privateKey: keys.live, sandboxKey: keys.sandbox, clients: [client] };
  const open = (port: number): Promise<Simulator> =>
    createSimulator({ account, clock, port, signatureHeader });
  const simulator = await open(options.port).catch((cause: unknown) => {
    const error = portError(cause, options.port, '--service-port');
    if (!options.otherwiseAnyPort || error === undefined) throw error ?? cause;
    onProgress(`Port ${options.port} is taken; the simulated payment service uses a free port instead.`);
    return open(0);
  });
  return { simulator, tokenSecret: writeTokenSecret(client) };
}
