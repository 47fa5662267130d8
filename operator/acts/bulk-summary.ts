import { parseAmount, sumOf } from '../../lambdas/domain/amount.ts';
import { canonicalCurrency } from '../../lambdas/domain/assumptions.ts';
import { unprintable } from '../shell-quoted.ts';
import type { BulkItem, BulkRequest, BulkResult, PlannedAct } from './documents.ts';

/** The events of one meaning, with the exact sum of their amounts per currency. */
export interface MoneySum {
  /** Such as `payments`. */
  readonly of: string;
  readonly events: number;
  readonly sums: readonly { readonly amount: string; readonly currency: string | null }[];
  readonly without_amount: number;
}

export interface BulkSummary {
  readonly events: number;
  /** How many orders change. */
  readonly orders: number;
  readonly money: readonly MoneySum[];
}

const nouns: Readonly<Record<string, string>> = {
  paid: 'payments',
  refunded: 'refunds',
  failed: 'failed payments',
  disputed: 'disputes',
};

const noEvent = 'bodies that are no event';

export function summaryOf(planned: readonly Pick<PlannedAct, 'item' | 'plan'>[]): BulkSummary {
  const orders = new Set(planned.flatMap(({ plan }) => plan.orders.map(({ order_id }) => order_id)));
  const items = planned.map(({ item }) => item);
  const groups = Map.groupBy(items, ({ event_name: name, meaning }) =>
    name === null ? noEvent : (nouns[meaning ?? ''] ?? `“${name}”`),
  );
  const money = [...groups].map(([of, events]) => moneyOf(of, events));
  return { events: items.length, orders: orders.size, money };
}

function moneyOf(of: string, items: readonly BulkItem[]): MoneySum {
  // A payment that failed brought in no money.
  const moved = of === nouns['failed'] || of === noEvent ? [] : items;
  const known = moved.flatMap(({ amount = null, currency }) => {
    const value = parseAmount(amount);
    const decimals = amount?.split('.')[1]?.length ?? 0;
    return value === undefined ? [] : { value, decimals, currency: canonicalCurrency(currency ?? '') };
  });
  const sums = [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, amounts]) => ({
    amount: sumOf(amounts.map(({ value }) => value)).toFixed(Math.max(...amounts.map((one) => one.decimals))),
    currency: currency || null,
  }));
  return { of, events: items.length, sums, without_amount: moved.length - known.length };
}

/** Such as `2 payments: 30.00 USD, 5.00 EUR; 1 without an amount`. */
export function moneyLine({ of, events, sums, without_amount: without }: MoneySum): string {
  const texts = sums.map(({ amount, currency }) => `${amount} ${currency ?? 'without a currency'}`);
  const parts = [texts.join(', '), without > 0 ? `${without} without an amount` : ''];
  const money = parts.filter((part) => part !== '').join('; ');
  return `${events} ${of}${money === '' ? '' : `: ${money}`}`.replace(unprintable, '');
}

const done = { admit: 'Applied', dismiss: 'Dismissed' } as const;

/** Such as `Applied 38. Changed in the meantime, and left: 2.` */
export function tallyOf(act: BulkRequest['act'], results: readonly BulkResult[], open = 0): string {
  const count = (state: BulkResult['state']) => results.filter((result) => result.state === state).length;
  const proposed = count('proposed');
  const counts = [
    [done[act], count('done')],
    [`${done[act]}, with another effect than was shown:`, count('done_otherwise')],
    ['Done already:', count('done_already')],
    ['Changed in the meantime, and left:', count('changed')],
    ['Refused:', count('refused')],
    ['Left out:', count('left_out')],
    ['Still to do:', open],
  ] as const;
  const texts = counts.flatMap(([text, number]) => (number === 0 ? [] : [`${text} ${number}.`]));
  const approval = 'Nothing changes until another person approves each.';
  return [...(proposed === 0 ? [] : [`Proposed ${proposed}. ${approval}`]), ...texts].join(' ');
}

const clear: readonly BulkResult['state'][] = ['done', 'proposed', 'done_already'];

/** What an operator has to look at: it was not done, or not as shown. */
export const notDone = (results: readonly BulkResult[]): readonly BulkResult[] =>
  results.filter(({ state }) => !clear.includes(state));

const linesMax = 20;

/** Each with its reason. */
export function leftLines(results: readonly BulkResult[]): readonly string[] {
  const left = notDone(results);
  const more = left.length > linesMax ? [`And ${left.length - linesMax} more.`] : [];
  return [...left.slice(0, linesMax).map(({ item, sentence }) => `${nameOf(item)}: ${sentence}`), ...more];
}

const nameOf = ({ event_id, body_sha256 }: BulkItem): string =>
  event_id === null ? `The body ${body_sha256?.slice(0, 12)}…` : event_id.replace(unprintable, '');
