import { isSandboxKey, privateKeyPattern } from '../private-key.ts';
import { RefusedKeyError } from './errors.ts';

/** The characters that a header can carry, and that `fetch` does not quote in an error. */
export const tokenPattern = /^[\x21-\x7e]+$/;

/**
 * Where the Authorization header comes from. Credentials are kept in closures and never in properties, so
 * that neither `JSON.stringify` nor `util.inspect` shows one.
 */
export interface Authentication {
  readonly authorization: () => Promise<string>;
  /** Another header in place of the one that got a 401; left out where there is no other. */
  readonly renew?: (refused: string) => Promise<string>;
}

/** API document 5.1: the key is the user name of a Basic credential, with an empty password. */
export function privateKeyAuthentication(privateKey: string): Authentication {
  if (isSandboxKey(privateKey)) {
    const why = 'API v2 accepts live private keys only, and this one is a sandbox key (section 5.2)';
    throw new RefusedKeyError(`${why}: it was not sent.`);
  }
  if (!privateKeyPattern.test(privateKey)) {
    const form = 'pri_<identifier>, printable ASCII without spaces and colons';
    throw new RefusedKeyError(`A private key has the form ${form}: it was not sent.`);
  }
  const header = `Basic ${Buffer.from(`${privateKey}:`).toString('base64')}`;
  return { authorization: async () => header };
}

/** API document 5.3, for a token that is renewed elsewhere. */
export function accessTokenAuthentication(accessToken: string): Authentication {
  const header = bearer(accessToken);
  return { authorization: async () => header };
}

/** A private key, a sandbox key among them, must not go out as a Bearer credential. */
function bearer(accessToken: string): string {
  if (tokenPattern.test(accessToken) && !accessToken.startsWith('pri_')) return `Bearer ${accessToken}`;
  const fault = accessToken.startsWith('pri_') ? 'a private key' : 'not printable ASCII without spaces';
  throw new RefusedKeyError(`The given access token is ${fault}.`);
}

export interface HeldTokens<Tokens> {
  /** Whether they can still be used for a while. */
  readonly isFresh: (tokens: Tokens) => boolean;
  /** Others for `former`, which got a 401 (`isRefused`), is not fresh, or was never there. */
  readonly obtain: (former: Tokens | undefined, isRefused: boolean) => Promise<Tokens>;
  readonly accessTokenOf: (tokens: Tokens) => string;
}

/**
 * API document 5.3: tokens that are held until they expire or get a 401. New ones are obtained once for all
 * calls of this process that wait for them.
 */
export function heldAuthentication<Tokens>(parts: HeldTokens<Tokens>): Authentication {
  const { isFresh, obtain, accessTokenOf } = parts;
  let held: Tokens | undefined;
  let flight: Promise<Tokens> | undefined;

  const headerOf = (tokens: Tokens): string => bearer(accessTokenOf(tokens));

  function obtainOnce(isRefused: boolean): Promise<Tokens> {
    flight ??= obtain(held, isRefused)
      .then((tokens) => {
        held = tokens;
        return tokens;
      })
      .finally(() => {
        flight = undefined;
      });
    return flight;
  }

  return {
    async authorization() {
      return headerOf(held !== undefined && isFresh(held) ? held : await obtainOnce(false));
    },
    async renew(refused) {
      // Another call got the 401 first and has obtained other tokens since.
      if (held !== undefined && headerOf(held) !== refused) return headerOf(held);
      return headerOf(await obtainOnce(true));
    },
  };
}
