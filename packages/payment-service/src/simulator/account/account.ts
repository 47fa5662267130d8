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
  /** An inactive account gets a 403 (section 7). */
  readonly active?: boolean;
  /** An account whose identity is not verified gets a 403 (section 7). */
  readonly identityVerified?: boolean;
  readonly clients?: readonly OAuthClient[];
}

export interface Account extends AccountOptions {
  readonly id: string;
  readonly webhooks: Webhooks;
}

/** Throws for keys of the wrong form or mode. */
export function createAccounts(given: readonly AccountOptions[], clock: () => number): readonly Account[] {
  const accounts = given.map((options): Account => {
    const { name, privateKey, sandboxKey } = options;
    if (!privateKeyPattern.test(privateKey) || isSandboxKey(privateKey)) {
      throw new TypeError(`The private key of the account "${name}" does not have the form of a live key.`);
    }
    if (sandboxKey !== undefined && !(privateKeyPattern.test(sandboxKey) && isSandboxKey(sandboxKey))) {
      throw new TypeError(`The sandbox key of the account "${name}" does not have the form pri_sandbox_….`);
    }
    return { ...options, id: randomUUID(), webhooks: createWebhooks(clock) };
  });
  const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;
  if (accounts.length === 0) throw new TypeError('The simulator needs at least one account.');
  if (
    !isUnique(accounts.map(({ name }) => name)) ||
    !isUnique(accounts.map(({ privateKey }) => privateKey))
  ) {
    throw new TypeError('Two accounts have the same name or private key.');
  }
  return accounts;
}

/** The account of that name; without a name, the first one. */
export function accountNamed(accounts: readonly Account[], name: string | undefined): Account {
  const account = name === undefined ? accounts[0] : accounts.find((one) => one.name === name);
  if (account === undefined) throw new TypeError(`There is no account "${name}".`);
  return account;
}
