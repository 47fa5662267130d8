import type { WebhookRegistration } from './assumptions.ts';
import { isPrivateAddress } from './base-url.ts';
import { UnaskableError } from './errors.ts';
import { uuidPattern } from './webhook.ts';

/** API document 4.1. What is left out is left to the service's own default. */
export interface ListOptions {
  /** Which fields it may be is not shown; `created_at` is the default. */
  readonly sort_field?: string | undefined;
  readonly sort_order?: 'asc' | 'desc' | undefined;
  readonly page?: number | undefined;
  /** 1 to 50. */
  readonly limit?: number | undefined;
}

/** API document 4.1 and 8: the service caps a limit silently, which would make pages of another size. */
const listLimitMax = 50;

export function checkPaging({ page, limit }: Pick<ListOptions, 'page' | 'limit'>): void {
  if (page !== undefined && !(Number.isSafeInteger(page) && page >= 1)) {
    throw new UnaskableError(`The page is ${page}; expected an integer from 1.`);
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= listLimitMax)) {
    throw new UnaskableError(`The limit is ${limit}; expected an integer from 1 to ${listLimitMax}.`);
  }
}

/** As one segment of a path, an id that is none could lead to another operation. */
export function checkWebhookId(id: string): string {
  if (!uuidPattern.test(id)) throw new UnaskableError('The webhook id is not a UUID.');
  return id;
}

/** Section 1 and 6: an HTTPS address, and names of the pattern event_resource.event_action. */
export function checkRegistration({ url, enabled_events }: WebhookRegistration): void {
  const address = URL.parse(url);
  if (address === null || !isPrivateAddress(address)) {
    throw new UnaskableError('The webhook URL is not an https address; plain http is for loopback only.');
  }
  if (enabled_events.length === 0) throw new UnaskableError('The webhook has no enabled events.');
  const wrong = enabled_events.find((name) => !/^[^\s.]+(\.[^\s.]+)+$/.test(name));
  if (wrong !== undefined) {
    throw new UnaskableError(`The event name ${JSON.stringify(wrong)} is not event_resource.event_action.`);
  }
}
