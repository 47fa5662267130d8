import { RefusedKeyError } from './errors.ts';
import { checkAccessToken } from './tokens.ts';

/**
 * Where the Authorization header comes from. Credentials are kept in closures and never in properties, so
 * that neither `JSON.stringify` nor `util.inspect` shows one.
 */
export interface Authentication {
  readonly authorization: () => Promise<string>;
  /** Another header in place of the one that was answered 401; left out where there is no other. */
  readonly renew?: (refused: string) => Promise<string>;
}

/** API document 5.1: the key is the user name of a Basic credential, with an empty password. */
export function privateKeyAuthentication(privateKey: string): Authentication {
  if (privateKey.startsWith('pri_sandbox_')) {
    const why = 'API v2 accepts live private keys only, and this one is of the sandbox (section 5.2)';
    throw new RefusedKeyError('sandbox_key', `${why}: it was not sent.`);
  }
  // A colon would end the user name, and the rest of the key would be its password.
  if (!/^pri_[\x21-\x39\x3b-\x7e]+$/.test(privateKey)) {
    const form = 'pri_<identifier>, printable ASCII without spaces and colons';
    throw new RefusedKeyError('not_a_private_key', `A private key has the form ${form}: it was not sent.`);
  }
  const header = `Basic ${Buffer.from(`${privateKey}:`, 'utf8').toString('base64')}`;
  return { authorization: async () => header };
}

/** API document 5.3, for a token that somebody else renews. */
export function accessTokenAuthentication(accessToken: string): Authentication {
  const header = bearer(accessToken);
  return { authorization: async () => header };
}

export const bearer = (accessToken: string): string => `Bearer ${checkAccessToken(accessToken)}`;
