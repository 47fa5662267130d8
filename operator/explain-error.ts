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
import { explainAwsError } from './aws/errors.ts';
import { explainOperationsError } from './operations.ts';
import { CommandError } from './operator-error.ts';
import { explainOrderQueryError } from './order-query.ts';

const secretVariables = [
  'PAYHOOKS_PRIVATE_KEY',
  'PAYHOOKS_OAUTH_CLIENT_SECRET',
  'PAYHOOKS_OAUTH_REFRESH_TOKEN',
] as const;

/** Any error as one for the operator. Whatever it quotes, the message holds no secret of the environment. */
export function explainError(error: unknown, env: NodeJS.ProcessEnv): CommandError {
  const { failure, message } =
    (error instanceof CommandError ? error : undefined) ??
    explainPaymentServiceError(error) ??
    explainSecretError(error) ??
    explainOperationsError(error) ??
    explainOrderQueryError(error) ??
    explainAwsError(error) ??
    new CommandError(
      'failed',
      error instanceof Error ? `${error.name}: ${oneLine(error.message)}` : 'Unknown error.',
    );
  const redact = redactionOf(secretVariables.map((name) => env[name] ?? ''));
  return new CommandError(failure, redact(message), { cause: error });
}

function explainPaymentServiceError(error: unknown): CommandError | undefined {
  if (!(error instanceof PaymentServiceError)) return undefined;
  const { message } = error;
  if (error instanceof InvalidRequestError) return new CommandError('wrongUsage', message);
  if (error instanceof UnreachableError) return new CommandError('unreachable', message);
  const refusals = [UnauthenticatedError, ForbiddenError, RefusedKeyError];
  const isRefused = refusals.some((refusal) => error instanceof refusal);
  return new CommandError(isRefused ? 'refused' : 'failed', message);
}

function explainSecretError(error: unknown): CommandError | undefined {
  if (error instanceof MalformedSecretError || error instanceof NoLiveKeyError) {
    return new CommandError('failed', `${error.message} See: payhooks keys list, payhooks keys add`);
  }
  if (error instanceof NoTokenError)
    return new CommandError('failed', `${error.message} See: payhooks token set`);
  if (error instanceof MalformedTokenSecretError || error instanceof TokenRenewalError) {
    return new CommandError('failed', `${error.message} See: payhooks token set, payhooks token refresh`);
  }
  return undefined;
}

/** The root cause of an error of `fetch`, whose own message never gives it. */
export function reasonOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return reasonOf(error.cause, depth + 1) ?? error.message;
}
