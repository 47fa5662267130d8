import type {
  Attention,
  Mode,
  OrderStatus,
  Outcome,
  StoredOutcome,
  WaitingItem,
} from '@payhooks/order-client';
import { attentionWords, statusWords } from '../parts/words.ts';
import type { ListSources } from './pages.ts';

/** What a list is narrowed to; part of its address. */
export interface ListFilters {
  readonly status?: OrderStatus;
  readonly attention?: Attention | 'any';
  readonly outcome?: ShownOutcome;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

/**
 * The outcomes that the list of events can show: what counts, and what waits. No API lists duplicates and
 * recorded events; the pages of their events and orders show them.
 */
export const shownOutcomes = ['applied', 'quarantined', 'unassigned', 'conflict', 'unrecognised'] as const;
export type ShownOutcome = (typeof shownOutcomes)[number] & (Outcome | StoredOutcome);

const keyIn = <Key extends string>(words: Readonly<Record<Key, string>>, text: string | undefined) =>
  text !== undefined && Object.hasOwn(words, text) ? (text as Key) : undefined;

/** The filters of an address. What it does not understand is left out. */
export function readFilters(query: Readonly<Record<string, string>>): ListFilters {
  const { attention, outcome } = query as Readonly<Record<string, string | undefined>>;
  const found = {
    status: keyIn(statusWords, query['status']),
    attention: attention === 'any' ? attention : keyIn(attentionWords, attention),
    outcome: shownOutcomes.find((known) => known === outcome),
    since: timeIn(query['since']),
    until: timeIn(query['until']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function timeIn(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Where the list of orders comes from. */
export function orderSources({ status, attention, since, until }: ListFilters, mode: Mode): ListSources {
  const orders = { mode, status, attention, updated_since: since, updated_until: until };
  return { orders, waiting: undefined };
}

/** Where the list of events comes from: orders for what counts, the waiting room for what waits. */
export function eventSources(filters: ListFilters, mode: Mode): ListSources {
  const { status, attention, outcome, since, until } = filters;
  const ofOrders = status !== undefined || attention !== undefined;
  const showsWaiting = outcome === undefined ? !ofOrders : outcome !== 'applied';
  return {
    orders: outcome === undefined || outcome === 'applied' ? orderSources(filters, mode).orders : undefined,
    waiting: showsWaiting ? { mode, since, until } : undefined,
  };
}

/** Whether something that waits belongs into the list. */
export function showsItem({ outcome }: ListFilters, item: WaitingItem): boolean {
  return outcome === undefined || item.outcome === outcome;
}
