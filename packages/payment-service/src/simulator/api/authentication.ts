import type { IncomingMessage } from 'node:http';
import { isSandboxKey, privateKeyPattern } from '../../private-key.ts';
import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import { forbidden, type Read, read, unauthenticated } from './response.ts';

/** A private key has no scopes: it reaches every endpoint (section 5.1, rule 4). */
export interface Caller {
  readonly account: Account;
  readonly scopes: readonly string[] | 'all';
}

export interface Credentials {
  readonly accounts: readonly Account[];
  readonly tokens: Tokens;
}

type Headers = IncomingMessage['headersDistinct'];

/** Sections 5 and 7: first who the caller is (401), then what the account and the scope permit (403). */
export function authenticate(headers: Headers, scope: string | null, credentials: Credentials): Read<Caller> {
  const identified = identify(headers, credentials);
  if (!identified.ok) return identified;
  const { account, scopes } = identified.value;
  if (account.active === false) return forbidden('account_inactive');
  if (account.identityVerified === false) return forbidden('identity_unverified');
  const isPermitted = scope === null || scopes === 'all' || scopes.includes(scope);
  return isPermitted ? identified : forbidden('missing_scope');
}

const malformed = unauthenticated('malformed_credential');

function identify(headers: Headers, { accounts, tokens }: Credentials): Read<Caller> {
  const [authorization = '', ...more] = headers['authorization'] ?? [];
  if (authorization === '') return unauthenticated('missing_credential');
  const [scheme, credential, ...rest] = authorization.split(' ');
  if (more.length > 0 || credential === undefined || rest.length > 0) return malformed;
  // Only the document's spelling: it promises no other.
  if (scheme === 'Basic') return byPrivateKey(credential, accounts);
  return scheme === 'Bearer' ? byAccessToken(credential, tokens) : malformed;
}

/** Section 5.1: base64 of the key followed by a colon, with nothing after the colon. */
function byPrivateKey(credential: string, accounts: readonly Account[]): Read<Caller> {
  const decoded = Buffer.from(credential, 'base64');
  // Node's decoder skips what is not base64.
  if (decoded.toString('base64') !== credential) return malformed;
  const text = decoded.toString('latin1');
  const key = text.slice(0, -1);
  if (!text.endsWith(':') || !privateKeyPattern.test(key)) return malformed;
  if (isSandboxKey(key)) return unauthenticated('sandbox_key');
  const account = accounts.find(({ privateKey }) => privateKey === key);
  return account === undefined ? unauthenticated('unknown_account') : read({ account, scopes: 'all' });
}

/** Section 5.3. The characters of a bearer token are those of RFC 6750, 2.1. */
function byAccessToken(credential: string, tokens: Tokens): Read<Caller> {
  if (!/^[\w.~+/-]+=*$/.test(credential)) return malformed;
  const found = tokens.find(credential);
  if (found === undefined) return unauthenticated('unknown_account');
  if (found.expired) return unauthenticated('expired_token');
  return read({ account: found.account, scopes: found.client.scopes });
}
