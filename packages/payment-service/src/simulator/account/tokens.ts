import { randomBytes } from 'node:crypto';
import type { Account, OAuthClient } from './account.ts';

/** Section 2.4, field for field. */
export interface TokenResponse {
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Grant {
  readonly account: Account;
  readonly client: OAuthClient;
}

export interface Tokens {
  /** What an access token stands for, expired or not. */
  find(accessToken: string): (Grant & { readonly expired: boolean }) | undefined;
  client(clientId: string, clientSecret: string): Grant | undefined;
  /** Section 4.6. `undefined` for a refresh token that is unknown, another client's, or used before. */
  refresh(client: OAuthClient, refreshToken: string): TokenResponse | undefined;
}

export interface TokenOptions {
  readonly accounts: readonly Account[];
  readonly clock: () => number;
  readonly accessTokenSeconds: number;
}

export function createTokens({ accounts, clock, accessTokenSeconds }: TokenOptions): Tokens {
  const grants = accounts.flatMap((account) =>
    (account.clients ?? []).map((client): Grant => ({ account, client })),
  );
  const accessTokens = new Map<string, { readonly grant: Grant; readonly expiresAt: number }>();
  const refreshTokens = new Map<string, Grant>();
  const admit = (accessToken: string, grant: Grant): void => {
    accessTokens.set(accessToken, { grant, expiresAt: clock() + accessTokenSeconds * 1_000 });
  };
  for (const grant of grants) {
    refreshTokens.set(grant.client.refreshToken, grant);
    if (grant.client.accessToken !== undefined) admit(grant.client.accessToken, grant);
  }
  return {
    find(accessToken) {
      const found = accessTokens.get(accessToken);
      return found && { ...found.grant, expired: clock() >= found.expiresAt };
    },
    client: (clientId, clientSecret) =>
      grants.find(({ client }) => client.clientId === clientId && client.clientSecret === clientSecret),
    refresh(client, refreshToken) {
      const grant = refreshTokens.get(refreshToken);
      if (grant?.client !== client) return undefined;
      // A refresh token works once. The access token before it lives on until it expires by itself.
      refreshTokens.delete(refreshToken);
      const response: TokenResponse = {
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
