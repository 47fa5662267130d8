import type {
  Event,
  EventRecords,
  Mode,
  Order,
  OrderStatus,
  TransactionDetail,
} from '@payhooks/order-client';
import { type ApiError, NoAddressError, type Query } from '../data/api.ts';
import { apiPath, href } from '../data/href.ts';
import { capitalised, counted, visibleText } from '../parts/texts.ts';

export interface Hit {
  readonly kind: 'order' | 'event' | 'transaction';
  readonly mode: Mode;
  readonly href: string;
  readonly status?: OrderStatus;
  readonly words: string;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** Sentences about what could not be looked up. */
  readonly problems: readonly string[];
}

export type Read = (path: string, query: Query) => Promise<unknown>;

/** Looks `id` up as an order, an event and a transaction, in both modes at once. */
export async function search(id: string, read: Read): Promise<SearchResult> {
  const lookups = (['live', 'sandbox'] as const).flatMap((mode) => [
    lookup({ kind: 'order', id, mode }, read(apiPath.order(id), { mode })),
    lookup({ kind: 'event', id, mode }, readEvent(id, mode, read)),
    lookup({ kind: 'transaction', id, mode }, read(apiPath.transaction(id), { mode })),
  ]);
  const found = await Promise.all(lookups);
  const problems = found.flatMap((one) => (typeof one === 'string' ? [one] : []));
  return {
    hits: found.flatMap((one) => (typeof one === 'object' ? [one] : [])),
    problems: [...new Set(problems)],
  };
}

/** Without customer data if the operations API is allowed, else as the order query shows it. */
async function readEvent(id: string, mode: Mode, read: Read): Promise<unknown> {
  try {
    return await read(apiPath.eventRecords(id), { mode });
  } catch (error) {
    if ((error as ApiError).status !== 403) throw error;
    return read(apiPath.event(id), { mode });
  }
}

interface Subject extends Pick<Hit, 'kind' | 'mode'> {
  readonly id: string;
}

/** A hit, or a sentence about why there may be one, or nothing. */
async function lookup(subject: Subject, response: Promise<unknown>): Promise<Hit | string | undefined> {
  const { kind, id, mode } = subject;
  const hit = { kind, mode, href: href[kind](id, mode) };
  try {
    return { ...hit, ...describe[kind](await response) };
  } catch (error) {
    const { status, message, problem } = error as ApiError;
    const { waiting } = problem;
    // An order that only waiting events name has a page too.
    if (status === 404 && Array.isArray(waiting) && waiting.length > 0)
      return { ...hit, words: 'Order, named only by events that wait' };
    // An id that is too long is no id, and a deployment may keep no transactions.
    if ([400, 404, 409].includes(status)) return undefined;
    // The same sentence for orders, events and transactions: it is shown once.
    if (error instanceof NoAddressError) return `This id cannot be looked up. ${message}`;
    return `${capitalised(kind)}s could not be looked up: ${message}`;
  }
}

const describe: Readonly<Record<Hit['kind'], (body: unknown) => Pick<Hit, 'words' | 'status'>>> = {
  order: (body) => ({ words: 'Order', status: (body as Order).status }),
  event(body) {
    const event = body as EventRecords | Event;
    const name = 'records' in event ? event.records[0]?.event_name : event.event_name;
    return { words: typeof name === 'string' ? `Event ${visibleText(name)}` : 'Event' };
  },
  transaction(body) {
    const { length } = (body as TransactionDetail).orders;
    return { words: length === 0 ? 'Transaction' : `Transaction of ${counted(length, 'order')}` };
  },
};
