import type { IncomingMessage } from 'node:http';
import { isSandboxKey, privateKeyPattern } from '../../private-key.ts';
import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import { forbidden, unauthenticated } from './response.ts';

/** A private key has no scopes: it reaches every endpoint (section 5.1, rule 4). */
interface Caller {
  readonly account: Account;
  readonly scopes: readonly string[] | 'all';
}

export interface Credentials {
  readonly accounts: readonly Account[];
  readonly tokens: Tokens;
}

type Headers = IncomingMessage['headersDistinct'];

/** Sections 5 and 7: first who the caller is (401), then what the account and the scope permit (403). */
export function authenticate(headers: Headers, scope: string | null, credentials: Credentials): Account {
  const { account, scopes } = identify(headers, credentials);
  if (account.active === false) throw forbidden('account_inactive');
  if (account.identityVerified === false) throw forbidden('identity_unverified');
  if (scope === null || scopes === 'all' || scopes.includes(scope)) return account;
  throw forbidden('missing_scope');
}

function identify(headers: Headers, { accounts, tokens }: Credentials): Caller {
  const [authorization = '', ...more] = headers['authorization'] ?? [];
  if (authorization === '') throw unauthenticated('missing_credential');
  const [scheme, credential, ...rest] = authorization.split(' ');
  if (more.length === 0 && credential !== undefined && rest.length === 0) {
    // Only the document's spelling: it promises no other.
    if (scheme === 'Basic') return byPrivateKey(credential, accounts);
    if (scheme === 'Bearer') return byAccessToken(credential, tokens);
  }
  throw unauthenticated('malformed_credential');
}

/** Section 5.1: base64 of the key followed by a colon, with nothing after the colon. */
function byPrivateKey(credential: string, accounts: readonly Account[]): Caller {
  const decoded = Buffer.from(credential, 'base64');
  const text = decoded.toString();
  const key = text.slice(0, -1);
  // Node's decoder skips what is not base64.
  const isExact = decoded.toString('base64') === credential;
  if (!isExact || !text.endsWith(':') || !privateKeyPattern.test(key)) {
    throw unauthenticated('malformed_credential');
  }
  if (isSandboxKey(key)) throw unauthenticated('sandbox_key');
  const account = accounts.find(({ privateKey }) => privateKey === key);
  if (account === undefined) throw unauthenticated('unknown_account');
  return { account, scopes: 'all' };
}

/** Section 5.3. The characters of a bearer token are those of RFC 6750, 2.1. */
function byAccessToken(credential: string, tokens: Tokens): Caller {
  if (!/^[\w.~+/-]+=*$/.test(credential)) throw unauthenticated('malformed_credential');
  const found = tokens.find(credential);
  if (found === undefined) throw unauthenticated('unknown_account');
  if (found.expired) throw unauthenticated('expired_token');
  return { account: found.account, scopes: found.client.scopes };
}
