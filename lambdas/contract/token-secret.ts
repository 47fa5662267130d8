import * as v from 'valibot';
import { readSecretJson, timeSchema } from './secret-json.ts';

/** The OAuth client of the payment account and its tokens; a refresh token is enough to start with. */
export interface TokenSecret {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  readonly accessToken?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
  /**
   * Written by a rotation: the version that was current when these tokens arrived. A token that an operator
   * stores has none, and no rotation that started earlier may overwrite it.
   */
  readonly replaces?: string | undefined;
}

/** The secret cannot be used. The message names what is wrong and never quotes a value. */
export class MalformedTokenSecretError extends Error {
  override readonly name = 'MalformedTokenSecretError';
}

const form = 'expected {"client_id":"…","client_secret":"…","refresh_token":"…"}';
const text = v.pipe(v.string(`is missing or not text; ${form}`), v.nonEmpty(`is empty; ${form}`));
/** A private key in a token's place would be sent as a token. */
const noPrivateKey = v.pipe(text, v.regex(/^(?!pri_)/, `is a private key; ${form}`));
/** What an HTTP header can carry (API document 5.3). */
const accessToken = v.pipe(
  noPrivateKey,
  v.regex(/^[\x21-\x7e]+$/, 'has characters that no token has; expected printable ASCII without spaces'),
);

const schema = v.object(
  {
    client_id: text,
    client_secret: text,
    // A form carries any text, and this is the only copy.
    refresh_token: noPrivateKey,
    access_token: v.nullish(accessToken),
    expires_at: v.nullish(timeSchema),
    replaces: v.nullish(text),
  },
  ({ path }) => (path === undefined ? `is not an object; ${form}` : `is missing; ${form}`),
);

/** Ignores unknown fields. Throws a `MalformedTokenSecretError`. */
export function parseTokenSecret(secret: string): TokenSecret {
  const malformed = (problem: string) => new MalformedTokenSecretError(`The token secret ${problem}.`);
  const read = readSecretJson(secret, schema, malformed);
  return {
    clientId: read.client_id,
    clientSecret: read.client_secret,
    refreshToken: read.refresh_token,
    accessToken: read.access_token ?? undefined,
    expiresAt: read.expires_at ?? undefined,
    replaces: read.replaces ?? undefined,
  };
}

/** The text of a secret that holds these tokens. */
export const writeTokenSecret = ({ expiresAt, ...tokens }: TokenSecret): string =>
  JSON.stringify({
    client_id: tokens.clientId,
    client_secret: tokens.clientSecret,
    refresh_token: tokens.refreshToken,
    access_token: tokens.accessToken,
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    replaces: tokens.replaces,
  });
