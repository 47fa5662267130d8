import { randomBytes } from 'node:crypto';
import { accessTokenSeconds } from '../../assumptions.ts';
import type { OAuthClient } from './account.ts';

export type Tokens = ReturnType<typeof createTokens>;

export function createTokens(clients: readonly OAuthClient[], clock: () => number) {
  const accessTokens = new Map<string, { readonly client: OAuthClient; readonly expiresAt: number }>();
  const refreshTokens = new Map(clients.map((client) => [client.refreshToken, client]));
  function admit(accessToken: string, client: OAuthClient): void {
    accessTokens.set(accessToken, { client, expiresAt: clock() + accessTokenSeconds * 1_000 });
  }
  for (const client of clients) if (client.accessToken !== undefined) admit(client.accessToken, client);
  return {
    /** Whose access token this is, unless it has expired. */
    clientOf(accessToken: string): OAuthClient | undefined {
      const found = accessTokens.get(accessToken);
      return found !== undefined && clock() < found.expiresAt ? found.client : undefined;
    },
    client: (id: string, secret: string): OAuthClient | undefined =>
      clients.find(({ clientId, clientSecret }) => clientId === id && clientSecret === secret),
    /** Section 4.6. `undefined` for a refresh token that is unknown, another client's, or spent. */
    refresh(client: OAuthClient, refreshToken: string) {
      if (refreshTokens.get(refreshToken) !== client) return undefined;
      // A refresh token works once. The earlier access token is valid until it expires.
      refreshTokens.delete(refreshToken);
      const response = {
        token_type: 'Bearer',
        expires_in: accessTokenSeconds,
        access_token: randomBytes(32).toString('base64url'),
        refresh_token: randomBytes(32).toString('base64url'),
      };
      admit(response.access_token, client);
      refreshTokens.set(response.refresh_token, client);
      return response;
    },
  };
}
