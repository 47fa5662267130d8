import type { WebhookRegistration } from '../assumptions.ts';
import { isPrivateAddress } from '../web-address.ts';
import { InvalidRequestError } from './errors.ts';
import { uuidPattern } from './webhook.ts';

/** API document 4.1. The service has its own default for each. */
export interface ListOptions {
  /** The allowed fields are not shown; `created_at` is the default. */
  readonly sort_field?: string | undefined;
  readonly sort_order?: 'asc' | 'desc' | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** API document 4.1 and 8: the service caps a higher limit silently. */
const listLimitMax = 50;

export function checkPaging({ page = 1, limit = 1 }: Pick<ListOptions, 'page' | 'limit'>): void {
  if (!(Number.isSafeInteger(page) && page >= 1)) {
    throw new InvalidRequestError(`The page is ${page}; expected an integer from 1.`);
  }
  if (!(Number.isSafeInteger(limit) && limit >= 1 && limit <= listLimitMax)) {
    throw new InvalidRequestError(`The limit is ${limit}; expected an integer from 1 to ${listLimitMax}.`);
  }
}

/** Anything else would be another path: `../oauth/token` is another operation. */
export function checkWebhookId(id: string): string {
  if (!uuidPattern.test(id)) throw new InvalidRequestError('The webhook id is not a UUID.');
  return id;
}

/** Sections 1 and 6: an HTTPS address, and names of the pattern event_resource.event_action. */
export function checkRegistration({ url, enabled_events }: WebhookRegistration): void {
  const address = URL.parse(url);
  if (address === null || !isPrivateAddress(address)) {
    throw new InvalidRequestError('The webhook URL is not an https address; http is for loopback only.');
  }
  if (enabled_events.length === 0) throw new InvalidRequestError('The webhook has no enabled events.');
  const wrong = enabled_events.find((name) => !/^[^\s.]+(\.[^\s.]+)+$/.test(name));
  if (wrong !== undefined) {
    throw new InvalidRequestError(
      `The event name ${JSON.stringify(wrong)} is not event_resource.event_action.`,
    );
  }
}
