import type { IncomingMessage } from 'node:http';
import { privateKeyPattern } from '../../../../../lambdas/domain/signature.ts';
import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import { forbidden, type Read, read, refuse, unauthenticated } from './answer.ts';

/** Who asks. A private key has no scopes: it reaches every endpoint (section 5.1, rule 4). */
export interface Caller {
  readonly account: Account;
  readonly scopes: readonly string[] | 'all';
}

export interface Authenticity {
  readonly accounts: readonly Account[];
  readonly tokens: Tokens;
}

type Headers = IncomingMessage['headersDistinct'];

/** Sections 5 and 7: first who asks (401), then whether the account may and the scope is there (403). */
export function authenticate(
  headers: Headers,
  scope: string | null,
  { accounts, tokens }: Authenticity,
): Read<Caller> {
  const identified = identify(headers, accounts, tokens);
  if (!identified.ok) return identified;
  const { account, scopes } = identified.value;
  if (account.active === false) return refuse(forbidden('account_inactive'));
  if (account.identityVerified === false) return refuse(forbidden('identity_unverified'));
  if (scope !== null && scopes !== 'all' && !scopes.includes(scope)) {
    return refuse(forbidden('missing_scope'));
  }
  return identified;
}

function identify(headers: Headers, accounts: readonly Account[], tokens: Tokens): Read<Caller> {
  const [authorization, ...more] = headers['authorization'] ?? [];
  if (authorization === undefined || authorization === '') {
    return refuse(unauthenticated('missing_credential'));
  }
  if (more.length > 0) return refuse(unauthenticated('malformed_credential'));
  const [scheme, credential, ...rest] = authorization.split(' ');
  if (credential === undefined || rest.length > 0) return refuse(unauthenticated('malformed_credential'));
  // As the document spells them; whoever sends another spelling relies on something it does not promise.
  if (scheme === 'Basic') return byPrivateKey(credential, accounts);
  if (scheme === 'Bearer') return byAccessToken(credential, tokens);
  return refuse(unauthenticated('malformed_credential'));
}

/** Section 5.1: base64 of the key followed by a colon, with nothing after the colon. */
function byPrivateKey(credential: string, accounts: readonly Account[]): Read<Caller> {
  const decoded = Buffer.from(credential, 'base64');
  // Node's decoder skips what is not base64; only what encodes back to the same text was base64.
  if (decoded.toString('base64') !== credential) return refuse(unauthenticated('malformed_credential'));
  const text = decoded.toString('latin1');
  const key = text.slice(0, -1);
  if (!text.endsWith(':') || key.includes(':') || !privateKeyPattern.test(key)) {
    return refuse(unauthenticated('malformed_credential'));
  }
  if (key.startsWith('pri_sandbox_')) return refuse(unauthenticated('sandbox_key'));
  const account = accounts.find(({ privateKey }) => privateKey === key);
  return account === undefined
    ? refuse(unauthenticated('unknown_account'))
    : read({ account, scopes: 'all' });
}

/** Section 5.3. */
function byAccessToken(credential: string, tokens: Tokens): Read<Caller> {
  // RFC 6750, 2.1: what a bearer token is made of.
  if (!/^[\w.~+/-]+=*$/.test(credential)) return refuse(unauthenticated('malformed_credential'));
  const found = tokens.find(credential);
  if (found === undefined) return refuse(unauthenticated('unknown_account'));
  if (found.expired) return refuse(unauthenticated('expired_token'));
  return read({ account: found.account, scopes: found.client.scopes });
}
