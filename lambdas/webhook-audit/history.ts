import type { DeliveryAttempt, PaymentServiceClient, Webhook } from '@payhooks/payment-service';
import { historyPageAttempts } from '../contract/reconcile-limits.ts';
import type { Mode } from '../domain/signature.ts';

/** The history cannot be read as assumed. The message has the reason. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** One attempt to deliver an event, as the payment service's history (API document 4.5) shows it. */
export interface Attempt {
  readonly mode: Mode;
  readonly eventId: string | null;
  readonly eventName: string | null;
  /** Of its delivery, or of its event where the history does not show that. */
  readonly delivery: string | null;
  /** Counts the attempts of one delivery from 1; 0 when unknown. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The endpoint's response; `null` for none. */
  readonly status: number | null;
  readonly body: string | null;
  /** Whether the service may try again. */
  readonly isPending: boolean;
}

export interface HistoryWindow {
  /** Both in milliseconds since the epoch. The start may depend on the newest attempt, NaN without one. */
  readonly since: number | ((newest: number) => number);
  readonly until: number;
  readonly pagesMax: number;
  readonly signal?: AbortSignal;
  readonly onPage?: (webhookId: string, page: number, last: number) => void;
}

export interface History {
  /** The most recent first, of one webhook after the other. */
  readonly attempts: readonly Attempt[];
  /** The latest attempts of all, which may be older or later than the window. */
  readonly newest: readonly Attempt[];
  /** Attempts without event id, time, or outcome with retry flag: the assumed field names are wrong (A16). */
  readonly unreadable: number;
  /** Whether no attempt of the window was left out. */
  readonly isComplete: boolean;
}

/** The attempts of these webhooks within a window. */
export async function readHistory(
  client: PaymentServiceClient,
  webhooks: readonly Webhook[],
  window: HistoryWindow,
): Promise<History> {
  const parts: History[] = [];
  for (const webhook of webhooks) parts.push(await historyOf(client, webhook, window));
  return {
    attempts: parts.flatMap((part) => part.attempts),
    newest: parts.flatMap((part) => part.newest),
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
    isComplete: parts.every((part) => part.isComplete),
  };
}

/**
 * A window in the past is found by bisecting the pages, so that a busy account costs a few requests more and
 * not thousands.
 */
async function historyOf(
  client: PaymentServiceClient,
  { id, is_live_mode }: Webhook,
  { until, pagesMax, signal, onPage, ...window }: HistoryWindow,
): Promise<History> {
  const mode = is_live_mode ? 'live' : 'sandbox';
  const read = async (page: number) =>
    client.webhookHistory(id, { page, limit: historyPageAttempts, ...(signal && { signal }) });
  const first = await read(1);
  checkOrder(first.data);
  const [newest = Number.NaN] = timesOf(first.data);
  const since = typeof window.since === 'number' ? window.since : window.since(newest);
  const last = first.pagination.last_page;
  const start = endOf(first.data) > until ? await firstPageUntil({ read, last, until }) : 1;
  const found: DeliveryAttempt[] = [];
  let isComplete = false;
  for (let page = start; !isComplete && page < start + pagesMax; page += 1) {
    const { data } = page === 1 ? first : await read(page);
    // Without a time an attempt may be of the window.
    found.push(...data.filter((one) => !(timeOf(one) < since) && !(timeOf(one) > until)));
    onPage?.(id, page, last);
    isComplete = page >= last || endOf(data) < since;
  }
  return {
    attempts: readAttempts(found, mode),
    newest: readAttempts(first.data, mode),
    unreadable: found.filter((attempt) => !isReadable(attempt)).length,
    isComplete,
  };
}

/** Only an attempt that was acknowledged shows its outcome without the flag of a pending retry. */
function isReadable(attempt: DeliveryAttempt): boolean {
  const { event_id, retry_pending, response_status } = attempt;
  const hasOutcome = retry_pending !== null || isAcknowledged(response_status);
  return event_id !== null && hasOutcome && !Number.isNaN(timeOf(attempt));
}

/** API document 6. */
export const isAcknowledged = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

const readAttempts = (attempts: readonly DeliveryAttempt[], mode: Mode): readonly Attempt[] =>
  attempts.flatMap((attempt) => {
    const { response_status: status, retry_pending: pending, event_id: eventId } = attempt;
    const at = timeOf(attempt);
    if (Number.isNaN(at) || (status === null && pending === null)) return [];
    return {
      ...{ mode, eventId, eventName: attempt.event_name },
      delivery: attempt.delivery_id || eventId,
      number: attempt.attempt ?? 0,
      ...{ at, status, body: attempt.response_body },
      // Without that part it cannot be known that the service has given up.
      isPending: pending !== false,
    };
  });

interface Bisection {
  readonly read: (page: number) => Promise<{ readonly data: readonly DeliveryAttempt[] }>;
  readonly last: number;
  readonly until: number;
}

/** The first page that does not end after the window. */
async function firstPageUntil({ read, last, until }: Bisection): Promise<number> {
  let [low, high] = [2, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { data } = await read(middle);
    if (endOf(data) > until) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, last);
}

/**
 * The document's times have no zone; UTC is assumed (A16). A second zone makes one of ISO 8601 invalid. Not a
 * number without a time, which compares as neither earlier nor later.
 */
export function timeOf({ attempted_at }: DeliveryAttempt): number {
  const text = attempted_at ?? '';
  const times = [`${text.replace(' ', 'T')}Z`, text].map((one) => Date.parse(one));
  return times.find((time) => !Number.isNaN(time)) ?? Number.NaN;
}

/** The times of a page, in its order. An attempt without one does not hide where a page begins and ends. */
const timesOf = (data: readonly DeliveryAttempt[]): number[] =>
  data.map(timeOf).filter((time) => !Number.isNaN(time));

const endOf = (data: readonly DeliveryAttempt[]): number => timesOf(data).at(-1) ?? Number.NaN;

function checkOrder(data: readonly DeliveryAttempt[]): void {
  const [newest = Number.NaN] = timesOf(data);
  if (!(newest < endOf(data))) return;
  const message = 'The history begins with the oldest attempt; expected the most recent first (A15).';
  throw new HistoryError(message);
}
