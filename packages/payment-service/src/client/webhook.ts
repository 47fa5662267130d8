import {
  field,
  flagAt,
  integerAt,
  itemsOf,
  objectAt,
  type Place,
  rootOf,
  textAt,
  textLike,
  unexpected,
} from './json-place.ts';

/** API document 2.1; `enabled_events` is the array that the service carries as a JSON-encoded string. */
export interface Webhook {
  readonly object: 'v2.webhook';
  readonly id: string;
  readonly url: string;
  readonly is_live_mode: boolean;
  readonly enabled_events: readonly string[];
  /** YYYY-MM-DD HH:MM:SS, as it came: the document names no time zone. */
  readonly created_at: string;
  /** The object as it came: fields beyond those above are not shown, so nothing of it is thrown away. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** API document 2.2. */
export interface Pagination {
  readonly current_page: number;
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

export interface WebhookPage {
  readonly object: 'v2.webhook';
  readonly data: readonly Webhook[];
  readonly pagination: Pagination;
}

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const createdAtPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

export const parseWebhook = (json: unknown, source = 'a webhook'): Webhook => webhookAt(rootOf(json, source));

export function parseWebhookPage(json: unknown, source = 'a page of webhooks'): WebhookPage {
  const page = rootOf(json, source);
  const data = itemsOf(field(page, 'data'));
  return {
    object: webhookNameAt(field(page, 'object')),
    data: data.map(webhookAt),
    pagination: paginationAt(field(page, 'pagination'), data.length),
  };
}

export function webhookAt(place: Place): Webhook {
  return {
    object: webhookNameAt(field(place, 'object')),
    id: textLike(field(place, 'id'), uuidPattern, 'a UUID'),
    url: textAt(field(place, 'url')),
    is_live_mode: flagAt(field(place, 'is_live_mode')),
    enabled_events: enabledEventsAt(field(place, 'enabled_events')),
    created_at: textLike(field(place, 'created_at'), createdAtPattern, 'a time as YYYY-MM-DD HH:MM:SS'),
    record: objectAt(place),
  };
}

/** A pagination that contradicts itself, or the page that it is of, would make a walk lose webhooks. */
export function paginationAt(place: Place, items: number): Pagination {
  const last = field(place, 'last_page');
  const pagination = {
    current_page: integerAt(field(place, 'current_page'), 1),
    per_page: integerAt(field(place, 'per_page'), 1),
    total: integerAt(field(place, 'total'), 0),
    last_page: integerAt(last, 0),
  };
  const { current_page, per_page, total, last_page } = pagination;
  // Behind the end is where a reader stands when the list became shorter: there is no lie in an empty page.
  if (current_page > last_page && items > 0) throw unexpected(last, 'current_page or above', 'below it');
  if (current_page <= last_page && items === 0 && total > 0) {
    throw unexpected(last, 'a page of webhooks up to here', 'above an empty page');
  }
  if (last_page * per_page < total) throw unexpected(last, 'enough pages for the total', 'too low');
  return pagination;
}

function webhookNameAt(place: Place): 'v2.webhook' {
  textLike(place, /^v2\.webhook$/, '"v2.webhook"');
  return 'v2.webhook';
}

function enabledEventsAt(place: Place): readonly string[] {
  const decoded = { ...place, value: decodedAt(place), path: `${place.path} (decoded)` };
  return itemsOf(decoded).map(textAt);
}

function decodedAt(place: Place): unknown {
  const text = textAt(place);
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(place, 'a JSON-encoded array of strings', 'another string');
  }
}
