import {
  ForbiddenError,
  oneLine,
  PaymentServiceError,
  RefusedKeyError,
  redactionOf,
  UnaskableError,
  UnauthenticatedError,
  UnreachableError,
} from '@payhooks/payment-service';
import { MalformedSecretError } from '../lambdas/contract/key-secret.ts';
import { MalformedTokenSecretError } from '../lambdas/contract/token-secret.ts';
import { NoLiveKeyError } from '../lambdas/webhook-audit/live-keys.ts';
import { TokenRenewalError } from '../lambdas/webhook-audit/rotated-token.ts';
import { awsOutcomeOf } from './aws/outcome.ts';
import { orderQueryOutcomeOf } from './order-query/outcome.ts';

/** What a script learns from a command. */
export const exitCodes = {
  done: 0,
  /** It did not work, or there are findings. */
  failed: 1,
  /** Wrong usage, or not confirmed. */
  wrongUsage: 2,
  /** The payment service or AWS refused the credential. */
  refused: 3,
  unreachable: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

type FailureKind = Exclude<keyof typeof exitCodes, 'done'>;

/** The name of an exit code. */
export const kindOf = (exitCode: ExitCode): FailureKind =>
  exitCode === 2 ? 'wrongUsage' : exitCode === 3 ? 'refused' : exitCode === 4 ? 'unreachable' : 'failed';

/** Ends a command; the message is for the operator and holds no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}

export interface Outcome {
  readonly exitCode: ExitCode;
  readonly says: string;
}

const secretVariables = [
  'PAYHOOKS_PRIVATE_KEY',
  'PAYHOOKS_OAUTH_CLIENT_SECRET',
  'PAYHOOKS_OAUTH_REFRESH_TOKEN',
] as const;

/**
 * What an error means to the operator. Whatever it quotes, no secret of the environment is in the sentence.
 */
export function outcomeOf(error: unknown, env: NodeJS.ProcessEnv): Outcome {
  const { exitCode, says } =
    expected(error) ?? orderQueryOutcomeOf(error) ?? awsOutcomeOf(error) ?? unexpected(error);
  const redact = redactionOf(secretVariables.map((name) => env[name] ?? ''));
  return { exitCode, says: redact(says) };
}

function expected(error: unknown): Outcome | undefined {
  if (error instanceof CommandError) return { exitCode: error.exitCode, says: error.message };
  if (error instanceof PaymentServiceError) return { exitCode: codeOf(error), says: sentenceOf(error) };
  if (error instanceof MalformedSecretError || error instanceof NoLiveKeyError) {
    return {
      exitCode: exitCodes.failed,
      says: `${error.message} See: payhooks keys list, payhooks keys add`,
    };
  }
  if (error instanceof MalformedTokenSecretError || error instanceof TokenRenewalError) {
    return {
      exitCode: exitCodes.failed,
      says: `${error.message} See: payhooks token set, payhooks token refresh`,
    };
  }
  return undefined;
}

function codeOf(error: PaymentServiceError): ExitCode {
  if (error instanceof UnaskableError) return exitCodes.wrongUsage;
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return exitCodes.refused;
  if (error instanceof RefusedKeyError) return exitCodes.refused;
  return exitCodes.failed;
}

function sentenceOf(error: PaymentServiceError): string {
  if (!(error instanceof UnreachableError)) return error.message;
  const reason = reasonOf(error.cause);
  return reason === undefined ? error.message : `${error.message} The network says ${oneLine(reason)}.`;
}

/** What is at the bottom of an error of `fetch`, whose own message never tells. */
export function reasonOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return reasonOf(error.cause, depth + 1) ?? error.message;
}

function unexpected(error: unknown): Outcome {
  const says = error instanceof Error ? `${error.name}: ${oneLine(error.message)}` : 'Unknown error.';
  return { exitCode: exitCodes.failed, says };
}
