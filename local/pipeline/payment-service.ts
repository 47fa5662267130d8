import { randomBytes } from 'node:crypto';
import { assumedScopes, createSimulator, type Simulator } from '@payhooks/payment-service/simulator';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import type { PrivateKeys } from './keys.ts';
import { portProblem } from './port-problem.ts';

export interface PaymentServiceOptions {
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Whether a port that is taken is only a wish, so that any free one will do. */
  readonly otherwiseAnyPort: boolean;
  /** How the stack asks the payment service. */
  readonly authentication: 'private-key' | 'oauth';
}

export interface PaymentService {
  readonly simulator: Simulator;
  /** The value of the secret with which the stack's OAuth begins; `undefined` without OAuth. */
  readonly tokenSecret: string | undefined;
}

export interface PaymentServiceParts {
  readonly options: PaymentServiceOptions;
  readonly keys: PrivateKeys;
  /** The header that the stack expects signatures in, which only the template says. */
  readonly signatureHeader: () => string;
  /** Milliseconds since the epoch: access tokens expire by it. */
  readonly clock: () => number;
  readonly onProgress: (sentence: string) => void;
}

/**
 * The simulator of the payment service, with one account that has the keys of this run. It is another party,
 * hence a port of its own, and it keeps nothing: a restart begins without registrations.
 */
export async function startPaymentService(parts: PaymentServiceParts): Promise<PaymentService> {
  const { options, keys, clock, signatureHeader } = parts;
  const secret = (prefix: string): string => `${prefix}${randomBytes(24).toString('hex')}`;
  // There is no access token yet: the stack asks for its first one.
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

/** The settings that tell the stack of it. */
export function serviceContext(
  { baseUrl }: Simulator,
  { authentication }: PaymentServiceOptions,
): Readonly<Record<string, string>> {
  return { paymentServiceBaseUrl: baseUrl, paymentServiceAuthentication: authentication };
}
