import type { DeliveryAttempt, PaymentServiceClient } from '@payhooks/payment-service';
import { historyPageAttempts } from '../contract/reconcile-limits.ts';
import { attemptTime } from './reconcile.ts';

/** The history cannot be read as assumed. The message has the reason. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

export interface HistoryWindow {
  /** Both in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  readonly pagesMax: number;
  readonly signal?: AbortSignal;
  readonly onPage?: (page: number, last: number) => void;
}

export interface HistoryPart {
  readonly attempts: readonly DeliveryAttempt[];
  /** Whether no attempt of the window was left out. */
  readonly isComplete: boolean;
  /** The latest attempts of all, which may be older or later than the window. */
  readonly newest: readonly DeliveryAttempt[];
}

/**
 * The attempts of a webhook within a window, the most recent first. A window in the past is found by
 * bisecting the pages, so that a busy account costs a few requests more and not thousands.
 */
export async function readHistory(
  client: PaymentServiceClient,
  webhookId: string,
  { since, until, pagesMax, signal, onPage }: HistoryWindow,
): Promise<HistoryPart> {
  const read = async (page: number) =>
    client.webhookHistory(webhookId, { page, limit: historyPageAttempts, ...(signal && { signal }) });
  const first = await read(1);
  checkOrder(first.data);
  const last = first.pagination.last_page;
  const newest = first.data;
  const start = endOf(first.data) > until ? await firstPageUntil({ read, last, until }) : 1;
  const attempts: DeliveryAttempt[] = [];
  for (let page = start; page < start + pagesMax; page += 1) {
    const { data } = page === 1 ? first : await read(page);
    // Without a time an attempt may be of the window.
    attempts.push(...data.filter((one) => !(timeOf(one) < since) && !(timeOf(one) > until)));
    onPage?.(page, last);
    if (page >= last || endOf(data) < since) return { attempts, newest, isComplete: true };
  }
  return { attempts, newest, isComplete: false };
}

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

/** Not a number without a time, which compares as neither earlier nor later. */
const timeOf = (attempt: DeliveryAttempt): number => attemptTime(attempt) ?? Number.NaN;

/** The times of a page, in its order. An attempt without one does not hide where a page begins and ends. */
const timesOf = (data: readonly DeliveryAttempt[]): number[] =>
  data.flatMap((attempt) => attemptTime(attempt) ?? []);

const endOf = (data: readonly DeliveryAttempt[]): number => timesOf(data).at(-1) ?? Number.NaN;

function checkOrder(data: readonly DeliveryAttempt[]): void {
  const [newest = Number.NaN] = timesOf(data);
  if (!(newest < endOf(data))) return;
  const message = 'The history begins with the oldest attempt; expected the most recent first (A15).';
  throw new HistoryError(message);
}
