import { historyFields } from './assumptions.ts';
import { field, itemsOf, objectAt, type Place, rootOf } from './json-place.ts';
import { type Pagination, paginationAt } from './webhook.ts';

/** One delivery attempt (API document 4.5), as far as our assumptions about its record hold. */
export interface DeliveryAttempt {
  readonly delivery_id: string | null;
  readonly event_id: string | null;
  readonly event_name: string | null;
  /** Counts the attempts of one delivery from 1. */
  readonly attempt: number | null;
  readonly attempted_at: string | null;
  /** How the endpoint answered. */
  readonly response_status: number | null;
  readonly retry_pending: boolean | null;
  /** The record as it came. Its fields are not shown, so nothing of it is thrown away. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface WebhookHistory {
  readonly data: readonly DeliveryAttempt[];
  readonly pagination: Pagination;
}

export function parseWebhookHistory(json: unknown, source = 'a webhook history'): WebhookHistory {
  const history = rootOf(json, source);
  const data = itemsOf(field(history, 'data'));
  return { data: data.map(attemptAt), pagination: paginationAt(field(history, 'pagination'), data.length) };
}

function attemptAt(place: Place): DeliveryAttempt {
  const partOf = (name: keyof typeof historyFields): unknown => field(place, historyFields[name]).value;
  const text = (name: keyof typeof historyFields): string | null => {
    const value = partOf(name);
    return typeof value === 'string' ? value : null;
  };
  const number = (name: keyof typeof historyFields): number | null => {
    const value = partOf(name);
    return typeof value === 'number' ? value : null;
  };
  const pending = partOf('retry_pending');
  return {
    delivery_id: text('delivery_id'),
    event_id: text('event_id'),
    event_name: text('event_name'),
    attempt: number('attempt'),
    attempted_at: text('attempted_at'),
    response_status: number('response_status'),
    retry_pending: typeof pending === 'boolean' ? pending : null,
    record: objectAt(place),
  };
}
