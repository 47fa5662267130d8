import type { IncomingMessage } from 'node:http';
import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import { forbidden, unauthenticated } from './response.ts';

export interface Credentials {
  readonly account: Account;
  readonly tokens: Tokens;
}

type Headers = IncomingMessage['headersDistinct'];

/** Sections 5 and 7: first who the caller is (401), then what the account and the scope permit (403). */
export function authenticate(headers: Headers, scope: string | null, credentials: Credentials): void {
  const { active, identityVerified } = credentials.account;
  const scopes = scopesOf(headers, credentials);
  if (scopes === undefined) throw unauthenticated();
  if (active === false || identityVerified === false) throw forbidden();
  if (scope !== null && scopes !== 'all' && !scopes.includes(scope)) throw forbidden();
}

/** Only the document's spelling of a header: it promises no other. */
function scopesOf(headers: Headers, { account, tokens }: Credentials): readonly string[] | 'all' | undefined {
  const [authorization = '', ...more] = headers['authorization'] ?? [];
  if (more.length > 0) return undefined;
  // A private key has no scopes: it reaches every endpoint (section 5.1, rule 4). A sandbox key is never one.
  if (authorization === basic(account.privateKey)) return 'all';
  const [, accessToken = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
  return tokens.clientOf(accessToken)?.scopes;
}

/** Section 5.1: base64 of the key followed by a colon, with nothing after the colon. */
const basic = (privateKey: string) => `Basic ${Buffer.from(`${privateKey}:`).toString('base64')}`;
