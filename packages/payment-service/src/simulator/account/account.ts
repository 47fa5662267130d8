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
  /** Changes when the owner replaces it. */
  privateKey: string;
  readonly id: string;
  readonly webhooks: Webhooks;
}

/** Throws for keys of the wrong form or mode. */
export function createAccounts(given: readonly AccountOptions[], clock: () => number) {
  const [first, ...others] = given.map((options): Account => {
    const { name, privateKey, sandboxKey } = options;
    checkLiveKey(name, privateKey);
    if (sandboxKey !== undefined && !(privateKeyPattern.test(sandboxKey) && isSandboxKey(sandboxKey))) {
      throw new TypeError(`The sandbox key of the account "${name}" is not pri_sandbox_<identifier>.`);
    }
    return { ...options, id: randomUUID(), webhooks: createWebhooks(clock) };
  });
  if (first === undefined) throw new TypeError('The simulator needs at least one account.');
  return [first, ...others] as const;
}

/** Signs and authenticates with this key from now on; the former one is unknown. Throws for a wrong form. */
export function replacePrivateKey(account: Account, privateKey: string): void {
  checkLiveKey(account.name, privateKey);
  account.privateKey = privateKey;
}

function checkLiveKey(name: string, key: string): void {
  if (privateKeyPattern.test(key) && !isSandboxKey(key)) return;
  throw new TypeError(`The private key of the account "${name}" is not a live key, pri_<identifier>.`);
}
