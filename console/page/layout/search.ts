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
import { counted, visibleText } from '../parts/texts.ts';

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

const modes: readonly Mode[] = ['live', 'sandbox'];

/** Looks `id` up as an order, an event and a transaction, in both modes at once. */
export async function search(id: string, read: Read): Promise<SearchResult> {
  const lookups = modes.flatMap((mode) => [
    lookup(read(apiPath.order(id), { mode }), 'Orders', (order) => orderHit(id, mode, order as Order)),
    lookup(readEvent(id, mode, read), 'Events', (event) => eventHit(id, mode, event as EventRecords | Event)),
    lookup(read(apiPath.transaction(id), { mode }), 'Transactions', (detail) =>
      transactionHit(id, mode, detail as TransactionDetail),
    ),
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

/** A hit, or a sentence about why there may be one, or nothing. */
async function lookup(
  response: Promise<unknown>,
  what: string,
  hitOf: (body: unknown) => Hit,
): Promise<Hit | string | undefined> {
  try {
    return hitOf(await response);
  } catch (error) {
    const { status, message, problem } = error as ApiError;
    // An order that only waiting events name has a page too.
    if (status === 404) return isNonEmpty(problem['waiting']) ? hitOf(undefined) : undefined;
    // An id that is too long is no id.
    if (status === 400) return undefined;
    // The same sentence for orders, events and transactions: it is shown once.
    if (error instanceof NoAddressError) return `This id cannot be looked up. ${message}`;
    return `${what} could not be looked up: ${message}`;
  }
}

const isNonEmpty = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

function orderHit(id: string, mode: Mode, order: Order | undefined): Hit {
  const common = { kind: 'order', mode, href: href.order(id, mode) } as const;
  if (order === undefined) return { ...common, words: 'Order, named only by events that wait' };
  return { ...common, words: 'Order', status: order.status };
}

function eventHit(id: string, mode: Mode, event: EventRecords | Event): Hit {
  const name = 'records' in event ? event.records[0]?.event_name : event.event_name;
  const words = typeof name === 'string' ? `Event ${visibleText(name)}` : 'Event';
  return { kind: 'event', mode, href: href.event(id, mode), words };
}

function transactionHit(id: string, mode: Mode, { orders }: TransactionDetail): Hit {
  const of = orders.length === 0 ? '' : ` of ${counted(orders.length, 'order')}`;
  return { kind: 'transaction', mode, href: href.transaction(id, mode), words: `Transaction${of}` };
}
