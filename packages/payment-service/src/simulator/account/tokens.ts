import { randomBytes } from 'node:crypto';
import type { Account, OAuthClient } from './account.ts';

interface Grant {
  readonly account: Account;
  readonly client: OAuthClient;
}

export type Tokens = ReturnType<typeof createTokens>;

interface TokenOptions {
  readonly accounts: readonly Account[];
  readonly clock: () => number;
  readonly accessTokenSeconds: number;
}

export function createTokens({ accounts, clock, accessTokenSeconds }: TokenOptions) {
  const grants = accounts.flatMap((account) =>
    (account.clients ?? []).map((client): Grant => ({ account, client })),
  );
  const accessTokens = new Map<string, { readonly grant: Grant; readonly expiresAt: number }>();
  const refreshTokens = new Map<string, Grant>();
  function admit(accessToken: string, grant: Grant): void {
    accessTokens.set(accessToken, { grant, expiresAt: clock() + accessTokenSeconds * 1_000 });
  }
  for (const grant of grants) {
    refreshTokens.set(grant.client.refreshToken, grant);
    if (grant.client.accessToken !== undefined) admit(grant.client.accessToken, grant);
  }
  return {
    /** The grant of an access token, expired or not. */
    find(accessToken: string) {
      const found = accessTokens.get(accessToken);
      return found && { ...found.grant, expired: clock() >= found.expiresAt };
    },
    client: (clientId: string, clientSecret: string) =>
      grants.find(({ client }) => client.clientId === clientId && client.clientSecret === clientSecret),
    /** Section 4.6. `undefined` for a refresh token that is unknown, another client's, or spent. */
    refresh(client: OAuthClient, refreshToken: string) {
      const grant = refreshTokens.get(refreshToken);
      if (grant?.client !== client) return undefined;
      // A refresh token works once. The earlier access token is valid until it expires.
      refreshTokens.delete(refreshToken);
      const response = {
        token_type: 'Bearer',
        expires_in: accessTokenSeconds,
        access_token: randomBytes(32).toString('base64url'),
        refresh_token: randomBytes(32).toString('base64url'),
      };
      admit(response.access_token, grant);
      refreshTokens.set(response.refresh_token, grant);
      return response;
    },
  };
}
