import { randomUUID } from 'node:crypto';
import { isSandboxKey, privateKeyPattern } from '../../private-key.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** An application that acts for an account. How it gets its first tokens is not shown (section 4.8). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** Valid from the start; without it, there is no access token before the first refresh. */
  readonly accessToken?: string;
  readonly scopes: readonly string[];
}

export interface AccountOptions {
  readonly name: string;
  /** `pri_<identifier>`: authenticates at API v2 and signs live notifications. */
  readonly privateKey: string;
  /** `pri_sandbox_<identifier>`: refused by API v2, signs sandbox notifications. */
  readonly sandboxKey?: string;
  /** An account that is inactive or whose identity is not verified gets a 403 (section 7). */
  readonly active?: boolean;
  readonly identityVerified?: boolean;
  readonly clients?: readonly OAuthClient[];
}

export interface Account extends AccountOptions {
  readonly id: string;
  readonly webhooks: Webhooks;
}

/** Throws for keys of the wrong form or mode. */
export function createAccount(options: AccountOptions, clock: () => number): Account {
  const { name, privateKey, sandboxKey } = options;
  if (!privateKeyPattern.test(privateKey) || isSandboxKey(privateKey)) {
    throw new TypeError(`The private key of the account "${name}" is not a live key, pri_<identifier>.`);
  }
  if (sandboxKey !== undefined && !(privateKeyPattern.test(sandboxKey) && isSandboxKey(sandboxKey))) {
    throw new TypeError(`The sandbox key of the account "${name}" is not pri_sandbox_<identifier>.`);
  }
  return { ...options, id: randomUUID(), webhooks: createWebhooks(clock) };
}
