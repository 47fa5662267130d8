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

const fix = 'Authorise the account again and store its token: npx payhooks token set --stack NAME.';

/**
 * A20. Exchanges a refresh token; when it is unknown whether the service did it, once more with the same
 * token. Throws a `TokenRefusedError` when the service refuses the token, and otherwise what the client of
 * the payment service throws.
 */
export async function exchangeTokens(exchange: TokenExchange, refreshToken: string): Promise<TokenResponse> {
  try {
    return await exchange(refreshToken);
  } catch (error) {
    if (isRefusal(error)) throw new TokenRefusedError(`${error.message} ${fix}`, { cause: error });
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
      `The response to an exchange was lost, then ${error.message} The refresh token is spent. ${fix}`,
      { cause: error },
    );
  }
}

/** A request to slow down, or a fault of the service, means nothing about the token. */
function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status < 500 && error.status !== 408 && error.status !== 429;
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.maybeExecuted;
  return error instanceof StatusError && (error.status >= 500 || error.status === 408);
}
