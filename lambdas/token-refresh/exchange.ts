import {
  StatusError,
  type TokenExchange,
  type TokenResponse,
  UnreachableError,
} from '@payhooks/payment-service';
import type { TokenSecret } from '../contract/token-secret.ts';

/** The exchange (API document 4.6) for a client id and its secret. */
export type Exchanges = (client: Pick<TokenSecret, 'clientId' | 'clientSecret'>) => TokenExchange;

/** The refresh token was refused, so another exchange of it has been before. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
}

const repair = 'Authorise the account again and put its token in: npx payhooks token set --stack NAME.';

/**
 * A20. Exchanges a refresh token; when nobody knows whether the service did it, once more with the same one.
 * Throws a `TokenRefusedError` when the service answers that the token is not good, and what the client of
 * the payment service throws otherwise.
 */
export async function exchangeTokens(exchange: TokenExchange, refreshToken: string): Promise<TokenResponse> {
  try {
    return await exchange(refreshToken);
  } catch (error) {
    if (isRefusal(error)) throw new TokenRefusedError(`${error.message} ${repair}`, { cause: error });
    if (!isOutcomeUnknown(error)) throw error;
    return repeat(exchange, refreshToken);
  }
}

async function repeat(exchange: TokenExchange, refreshToken: string): Promise<TokenResponse> {
  try {
    return await exchange(refreshToken);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new TokenRefusedError(
      `The answer of an exchange was lost, and then ${error.message} The refresh token is spent. ${repair}`,
      { cause: error },
    );
  }
}

/** Who is told to slow down, or that the service has a fault, was not told anything about the token. */
function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status < 500 && error.status !== 408 && error.status !== 429;
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.maybeExecuted;
  return error instanceof StatusError && (error.status >= 500 || error.status === 408);
}
