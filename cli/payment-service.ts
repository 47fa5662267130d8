import { setTimeout as pause } from 'node:timers/promises';
import {
  type Authentication,
  createPaymentServiceClient,
  type PaymentServiceClient,
  privateKeyAuthentication,
  UnauthenticatedError,
} from '@payhooks/payment-service';
import {
  liveKeyAuthentications,
  NoLiveKeyError,
  rotatedTokenAuthentication,
} from '../lambdas/webhook-audit/credential.ts';
import { openKeySecret } from '../operator/keys.ts';
import { CommandError } from '../operator/operator-error.ts';
import { nextCommand, type Stack, settingPlaceOf } from '../operator/stack/stack.ts';
import { type CommonOptions, privateKeyVariable, type Session, variable } from './session.ts';

const serviceUrlVariable = 'PAYHOOKS_SERVICE_URL';

export interface PaymentService {
  /** Tries one credential after another until one is not refused with 401. */
  call<T>(work: (client: PaymentServiceClient) => Promise<T>): Promise<T>;
}

/** The payment service of the environment or of the target, with a credential for it. */
export async function openPaymentService(session: Session, options: CommonOptions): Promise<PaymentService> {
  const named = variable(session, serviceUrlVariable);
  const baseUrl = named ?? serviceUrlOf(await session.stack(options));
  if (named !== undefined && !options.json) session.terminal.note(`payment service at ${shownUrl(named)}`);
  const { description, authentications } = await credentialsOf(session, options);
  const clients = authentications.map((authentication) =>
    createPaymentServiceClient({ baseUrl, authentication }),
  );
  return {
    async call(work) {
      let refusal: unknown;
      for (const client of clients) {
        try {
          return await work(client);
        } catch (error) {
          if (!(error instanceof UnauthenticatedError)) throw error;
          refusal = error;
        }
      }
      const sentence = refusal instanceof Error ? refusal.message : 'There is no credential.';
      throw new CommandError('refused', `${sentence} It was called with ${description}`, { cause: refusal });
    },
  };
}

/** The given value may be a secret by mistake, so this shows it only if it is a URL. */
function shownUrl(given: string): string {
  const url = URL.parse(given);
  return url === null ? '(not a URL)' : url.origin + url.pathname.replace(/\/$/, '');
}

function serviceUrlOf(stack: Stack): string {
  const url = stack.outputs['PaymentServiceBaseUrl'] || stack.serviceUrl;
  if (url !== undefined && url !== '') return url;
  throw new CommandError(
    'failed',
    `${stack.name} has no payment service: set paymentServiceBaseUrl ${settingPlaceOf(stack)} and deploy, or set ` +
      `${serviceUrlVariable} and ${privateKeyVariable}.`,
  );
}

interface Credentials {
  /** Part of the message when they are refused. */
  readonly description: string;
  readonly authentications: readonly Authentication[];
}

async function credentialsOf(session: Session, options: CommonOptions): Promise<Credentials> {
  const privateKey = variable(session, privateKeyVariable);
  if (privateKey !== undefined) {
    return { description: `${privateKeyVariable}.`, authentications: [privateKeyAuthentication(privateKey)] };
  }
  // The credentials of a stack only go to the payment service of that stack.
  if (variable(session, serviceUrlVariable) !== undefined) {
    const message = `${serviceUrlVariable} needs ${privateKeyVariable} to be set as well.`;
    throw new CommandError('wrongUsage', message);
  }
  return stackCredentials(session, await session.stack(options));
}

/** The token of the stack if it has one, otherwise its live keys. */
async function stackCredentials(session: Session, stack: Stack): Promise<Credentials> {
  if (stack.outputs['TokenSecretArn']) {
    const { openStackToken } = await import('../operator/aws/token-rotation.ts');
    const { readTokens, rotate } = openStackToken(stack);
    const waiting = async (): Promise<void> => {
      session.terminal.progress('Waiting for the rotation of the token …');
      await rotate();
    };
    const parts = { readTokens, rotate: waiting, pause };
    const refresh = nextCommand(stack, 'payhooks token refresh');
    const description = `the token of ${stack.name}. Renew it: ${refresh}`;
    return { description, authentications: [rotatedTokenAuthentication(parts)] };
  }
  const secret = await openKeySecret(stack);
  const readSecret = async (): Promise<string> => {
    const version = await secret.read();
    if (version !== undefined) return version.text;
    throw new NoLiveKeyError(`The key secret of ${stack.name} has no value yet.`);
  };
  const authentications = await liveKeyAuthentications({ readSecret, now: session.now });
  const add = nextCommand(stack, 'payhooks keys add');
  const description = `every live key of ${stack.name}. Perhaps one is missing here: ${add}`;
  return { description, authentications };
}
