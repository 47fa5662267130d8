import { parseMoment } from './key-secret.ts';

/** The OAuth client of the payment account and its tokens; a refresh token is enough to begin with. */
export interface TokenSecret {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  readonly accessToken?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /**
   * Written by a rotation: the version that was current when these tokens came. What somebody puts in by hand
   * replaces nothing, and no rotation that began before may go over it.
   */
  readonly replaces?: string;
}

/** The secret cannot be used. The message says what is wrong with its form and never quotes its value. */
export class MalformedTokenSecretError extends Error {
  override readonly name = 'MalformedTokenSecretError';
}

const form = '{"client_id":"…","client_secret":"…","refresh_token":"…"}';

/** What an HTTP header can carry (API document 5.3), which is what a token is for. */
const tokenPattern = /^[\x21-\x7e]+$/;

type Fields = Readonly<Record<string, unknown>>;

/** Throws a `MalformedTokenSecretError`. Fields that are not known are none of its business. */
export function parseTokenSecret(text: string): TokenSecret {
  const fields = readFields(text);
  const accessToken = optionalText(fields, 'access_token');
  const replaces = optionalText(fields, 'replaces');
  const expiresAt = optionalMoment(fields, 'expires_at');
  return {
    clientId: requiredText(fields, 'client_id'),
    clientSecret: requiredText(fields, 'client_secret'),
    refreshToken: checkToken('refresh_token', requiredText(fields, 'refresh_token')),
    ...(accessToken !== undefined && { accessToken: checkToken('access_token', accessToken) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(replaces !== undefined && { replaces }),
  };
}

/** The text of a secret that holds these tokens. */
export function writeTokenSecret(tokens: TokenSecret): string {
  const { accessToken, expiresAt, replaces } = tokens;
  return JSON.stringify({
    client_id: tokens.clientId,
    client_secret: tokens.clientSecret,
    refresh_token: tokens.refreshToken,
    ...(accessToken !== undefined && { access_token: accessToken }),
    ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    ...(replaces !== undefined && { replaces }),
  });
}

function readFields(text: string): Fields {
  const json = parseJson(text);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw new MalformedTokenSecretError(`The token secret is not an object; expected ${form}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The SyntaxError quotes the text, which is a secret.
    throw new MalformedTokenSecretError(`The token secret is not JSON; expected ${form}.`);
  }
}

function requiredText(fields: Fields, name: string): string {
  const value = optionalText(fields, name);
  if (value !== undefined) return value;
  throw new MalformedTokenSecretError(`The token secret has no ${name}; expected ${form}.`);
}

function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new MalformedTokenSecretError(
    `${name} of the token secret is ${value === '' ? 'empty' : `a ${typeof value}`}; expected text.`,
  );
}

function optionalMoment(fields: Fields, name: string): number | undefined {
  if ((fields[name] ?? undefined) === undefined) return undefined;
  const moment = parseMoment(fields[name]);
  if (moment !== undefined) return moment;
  throw new MalformedTokenSecretError(
    `${name} of the token secret is not a moment; expected ISO 8601 with a zone, as 2026-12-01T00:00:00Z.`,
  );
}

/** A private key in a token's place would be sent as one. */
function checkToken(name: string, token: string): string {
  if (token.startsWith('pri_')) {
    throw new MalformedTokenSecretError(`${name} of the token secret is a private key; expected a token.`);
  }
  if (tokenPattern.test(token)) return token;
  throw new MalformedTokenSecretError(
    `${name} of the token secret has characters that no token has; expected printable ASCII without spaces.`,
  );
}
