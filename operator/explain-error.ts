import {
  ForbiddenError,
  InvalidRequestError,
  oneLine,
  PaymentServiceError,
  RefusedKeyError,
  redactionOf,
  UnauthenticatedError,
  UnreachableError,
} from '@payhooks/payment-service';
import { MalformedSecretError } from '../lambdas/contract/key-secret.ts';
import { MalformedTokenSecretError } from '../lambdas/contract/token-secret.ts';
import { NoLiveKeyError, NoTokenError, TokenRenewalError } from '../lambdas/webhook-audit/credential.ts';
import { explainApiError } from './apis.ts';
import { explainAwsError } from './aws/errors.ts';
import { CommandError } from './operator-error.ts';

const secretVariables = [
  'PAYHOOKS_PRIVATE_KEY',
  'PAYHOOKS_OAUTH_CLIENT_SECRET',
  'PAYHOOKS_OAUTH_REFRESH_TOKEN',
] as const;

/** Any error as one for the operator. Whatever it quotes, the message holds no secret of the environment. */
export function explainError(error: unknown, env: NodeJS.ProcessEnv): CommandError {
  const { failure, message } =
    (error instanceof CommandError ? error : undefined) ??
    explainKnownError(error) ??
    explainApiError(error) ??
    explainAwsError(error) ??
    new CommandError(
      'failed',
      error instanceof Error ? `${error.name}: ${oneLine(error.message)}` : 'Unknown error.',
    );
  const redact = redactionOf(secretVariables.map((name) => env[name] ?? ''));
  return new CommandError(failure, redact(message), { cause: error });
}

type ErrorClass = abstract new (...given: never[]) => Error;

const refused = [UnauthenticatedError, ForbiddenError, RefusedKeyError];

/** Errors whose message is for the operator: what each means to a script, and what to type. */
const known: readonly (readonly [readonly ErrorClass[], CommandError['failure'], string?])[] = [
  [[InvalidRequestError], 'wrongUsage'],
  [[UnreachableError], 'unreachable'],
  [refused, 'refused'],
  [[PaymentServiceError], 'failed'],
  [[MalformedSecretError, NoLiveKeyError], 'failed', 'See: payhooks keys list, payhooks keys add'],
  [[NoTokenError], 'failed', 'See: payhooks token set'],
  [
    [MalformedTokenSecretError, TokenRenewalError],
    'failed',
    'See: payhooks token set, payhooks token refresh',
  ],
];

function explainKnownError(error: unknown): CommandError | undefined {
  if (!(error instanceof Error)) return undefined;
  const found = known.find(([classes]) => classes.some((one) => error instanceof one));
  if (found === undefined) return undefined;
  const [, failure, advice] = found;
  return new CommandError(failure, [error.message, advice].filter(Boolean).join(' '));
}

/** The root cause of an error of `fetch`, whose own message never gives it. */
export function reasonOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return reasonOf(error.cause, depth + 1) ?? error.message;
}
