import { randomBytes } from 'node:crypto';
import { assumedScopes, createSimulator, type Simulator } from '@payhooks/payment-service/simulator';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import type { PrivateKeys } from './keys.ts';
import { portProblem } from './port-problem.ts';

export interface PaymentServiceOptions {
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Whether any free port will do when this one is in use. */
  readonly otherwiseAnyPort: boolean;
  /** How the stack authenticates with the payment service. */
  readonly authentication: 'private-key' | 'oauth';
}

export interface PaymentService {
  readonly simulator: Simulator;
  /** The first value of the stack's token secret; `undefined` without OAuth. */
  readonly tokenSecret: string | undefined;
}

export interface PaymentServiceParts {
  readonly options: PaymentServiceOptions;
  readonly keys: PrivateKeys;
  /** The header of the signature, known once the template is read. */
  readonly signatureHeader: () => string;
  /** Milliseconds since the epoch: access tokens expire by it. */
  readonly clock: () => number;
  readonly onProgress: (sentence: string) => void;
}

/**
 * The simulator of the payment service, with one account that has the keys of this run. It has a separate
 * port, and keeps nothing: a restart begins without registrations.
 */
export async function startPaymentService(parts: PaymentServiceParts): Promise<PaymentService> {
  const { options, keys, clock, signatureHeader } = parts;
  const secret = (prefix: string): string => `${prefix}${randomBytes(24).toString('hex')}`;
  // There is no access token yet: the stack requests its first one.
  const client = {
    clientId: 'payhooks-local',
    clientSecret: secret('secret_'),
    refreshToken: secret('refresh_'),
    scopes: [...new Set(['view-webhooks', ...Object.values(assumedScopes)])],
  };
  const isOAuth = options.authentication === 'oauth';
  const open = (port: number): Promise<Simulator> =>
    createSimulator({
      accounts: [
        {
          name: 'local',
          privateKey: keys.live,
          sandboxKey: keys.sandbox,
          clients: isOAuth ? [client] : [],
        },
      ],
      clock,
      port,
      signatureHeader,
    });
  const simulator = await open(options.port).catch((error: unknown) => {
    const problem = portProblem(error, options.port, '--service-port');
    if (!options.otherwiseAnyPort || problem === undefined) throw problem ?? error;
    parts.onProgress(`${problem.message} The payment service takes a free port instead.`);
    return open(0);
  });
  return { simulator, tokenSecret: isOAuth ? writeTokenSecret(client) : undefined };
}

/** The settings of the stack that name the simulator. */
export function serviceContext(
  { baseUrl }: Simulator,
  { authentication }: PaymentServiceOptions,
): Readonly<Record<string, string>> {
  return { paymentServiceBaseUrl: baseUrl, paymentServiceAuthentication: authentication };
}
