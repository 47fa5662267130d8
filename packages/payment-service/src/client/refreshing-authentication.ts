import { type Authentication, heldAuthentication } from './authentication.ts';
import { StatusError, TokenStoreError } from './errors.ts';
import { redactionOf, safeCause } from './redaction.ts';
import type { TokenExchange } from './token-exchange.ts';
import { parseTokens, type TokenStore, type Tokens, tokensOf } from './tokens.ts';

export interface RefreshingOptions {
  readonly store: TokenStore;
  readonly exchange: TokenExchange;
  readonly now?: (() => number) | undefined;
  /** How long before its expiry a token is renewed. */
  readonly expiryMarginMilliseconds?: number | undefined;
}

/**
 * API document 5.3: an access token that is renewed when it expires or gets a 401. One refresh runs at a
 * time, and its tokens are not used before they are stored.
 */
export function refreshingAuthentication(options: RefreshingOptions): Authentication {
  const { store, exchange, now = Date.now, expiryMarginMilliseconds = 60_000 } = options;
  let unsaved: { readonly spent: string; readonly tokens: Tokens } | undefined;

  const isExpiring = ({ expires_at }: Tokens): boolean =>
    expires_at !== null && now() >= expires_at - expiryMarginMilliseconds;

  /** The tokens after `spent`: those that an earlier call could not store, or new ones. */
  async function successorOf(spent: string): Promise<Tokens> {
    if (unsaved?.spent === spent) return unsaved.tokens;
    const sentAt = now();
    const tokens = tokensOf(await exchange(spent), sentAt);
    unsaved = { spent, tokens };
    return tokens;
  }

  async function renewed(stale: string | undefined): Promise<Tokens> {
    const stored = await load(store);
    // Another process may have renewed them.
    if (stored.access_token !== stale && !isExpiring(stored)) return stored;
    try {
      const tokens = await successorOf(stored.refresh_token);
      await save(store, tokens);
      unsaved = undefined;
      return tokens;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Another process may have spent the same refresh token in the meantime.
      const latest = await load(store);
      if (latest.refresh_token === stored.refresh_token) throw error;
      return latest;
    }
  }

  return heldAuthentication<Tokens>({
    isFresh: (tokens) => !isExpiring(tokens),
    obtain: (former) => renewed(former?.access_token),
    accessTokenOf: ({ access_token }) => access_token,
  });
}

async function load(store: TokenStore): Promise<Tokens> {
  let stored: Tokens | undefined;
  try {
    stored = await store.load();
    if (stored !== undefined) return parseTokens(stored);
  } catch (cause) {
    throw new TokenStoreError('The tokens could not be loaded.', {
      cause: safeCause(cause, redactionOf([])),
    });
  }
  throw new TokenStoreError('There are no tokens: the first ones come from the payment service.');
}

async function save(store: TokenStore, tokens: Tokens): Promise<void> {
  try {
    await store.save(tokens);
  } catch (cause) {
    const redact = redactionOf([tokens.access_token, tokens.refresh_token]);
    const message =
      'The new tokens could not be saved and are not used; the next call tries to save them again.';
    throw new TokenStoreError(message, { cause: safeCause(cause, redact) });
  }
}
