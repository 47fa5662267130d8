import type { ReplayResult } from '@payhooks/order-client';
import { leftSentences } from '../../lambdas/contract/left-sentences.ts';

/** All pages of a run. */
export type WholeReplay = Omit<ReplayResult, 'next_cursor' | 'retry_after_seconds'>;

/** One result for all pages; an order of several pages from its first `before` to its last `after`. */
export function wholeOf(pages: readonly ReplayResult[]): WholeReplay {
  const [first] = pages;
  if (first === undefined) throw new TypeError('A run has at least one page.');
  const { next_cursor: _, retry_after_seconds: __, ...whole } = first;
  const orders = new Map<string, ReplayResult['orders'][number]>();
  for (const change of pages.flatMap((page) => page.orders)) {
    const { before } = orders.get(change.order_id) ?? change;
    orders.set(change.order_id, { ...change, before });
  }
  return {
    ...whole,
    changed: pages.some(({ changed }) => changed),
    events: pages.flatMap(({ events }) => events),
    orders: [...orders.values()],
    replayed: pages.reduce((sum, { replayed }) => sum + replayed, 0),
    left: pages.flatMap(({ left }) => left),
  };
}

/** Such as `2 events would be replayed; orders that change: 1.`, and why others were passed over. */
export function describeReplay({ replayed, left, orders }: WholeReplay, verb: string): string {
  const reasons = [...Map.groupBy(left, ({ reason }) => reason)];
  const kept = reasons.map(([reason, events]) => ` Left as they are: ${leftText(reason, events)}`);
  return `${counted(replayed)} ${verb}; orders that change: ${orders.length}.${kept.join('')}`;
}

const counted = (events: number): string => (events === 1 ? '1 event' : `${events} events`);

/** The ids of as many events as fit into a line. */
function leftText(reason: string, events: ReplayResult['left']): string {
  const ids = events.slice(0, 3).map(({ event_id }) => event_id);
  const more = events.length > ids.length ? ', …' : '';
  const sentence = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined;
  return `${counted(events.length)} (${ids.join(', ')}${more}). ${sentence ?? `The reason is ${reason}.`}`;
}

const refuses = (why: string): string =>
  `This version would not accept the body, because ${why}; the event counts as it was read before.`;

/** Why a replay passes over an event. */
const sentences: Readonly<Record<string, string>> = {
  ...leftSentences,
  not_utf8: refuses('it is not UTF-8'),
  not_json: refuses('it is not JSON'),
  not_an_object: refuses('it is not a JSON object'),
  id_missing: refuses('it has no event id'),
  id_invalid: refuses('its event id cannot be used'),
  event_name_missing: refuses('it has no event name'),
  event_name_invalid: refuses('its event name cannot be used'),
  sandbox_flag_missing: refuses('its sandbox flag is missing'),
  sandbox_flag_disagrees: refuses('its sandbox flag does not match the key that signed it'),
  order_id_invalid: refuses('its order id cannot be used'),
  transaction_id_invalid: refuses('its transaction id cannot be used'),
};
