import type { History } from '../history.ts';
import { type Evidence, modes, orderKey } from './evidence.ts';
import { expectedStates } from './order-rules.ts';
import { type KnownOfOrder, orderState } from './order-state.ts';
import { finalOrders, moneyText } from './order-views.ts';
import type { Mode, SignedEvent } from './signed-body.ts';
import { textOf } from './stored-rows.ts';
import type { TransactionState } from './transaction-state.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

/** `detail` of docs/order-feed.md. */
interface Change {
  readonly id: string;
  readonly order_id: string;
  readonly mode: Mode;
  readonly sequence: number;
  readonly previous: Condition | null;
  readonly current: Condition;
  readonly transactions: readonly TransactionState[] | null;
  readonly caused_by: readonly { readonly id: string; readonly event_name: string | null }[];
}
interface Condition {
  readonly status: string;
  readonly attention: readonly string[];
}

const sources: Readonly<Record<string, Mode>> = { payhooks: 'live', 'payhooks.sandbox': 'sandbox' };
const wrong = violationsOf('feed');

/** Orders of more events are not searched for every state that they may have had. */
const eventsSearchedMax = 6;

export function feedViolations(evidence: Evidence): readonly Violation[] {
  const { bus } = evidence.history;
  const changes = bus
    .filter(({ detailType }) => detailType === 'OrderStatusChanged')
    .map(({ source, detail }) => ({ source, detail, change: JSON.parse(detail) as Change }));
  const crossed = changes
    .filter(({ source, change }) => sources[source] !== change.mode)
    .map(
      ({ source, change }) =>
        `The ${change.mode} order ${quoted(change.order_id)} was published as ${source}.`,
    );
  const rewritten = [...Map.groupBy(changes, ({ change }) => change.id)]
    .filter(([, copies]) => new Set(copies.map(({ detail }) => detail)).size > 1)
    .map(([id]) => `Two different changes were published under the deduplication id ${id}.`);
  const byOrder = Map.groupBy(
    changes.map(({ change }) => change),
    ({ mode, order_id }) => orderKey(mode, order_id),
  );
  const unknown = [...byOrder.keys()]
    .filter((key) => !evidence.orderRows.has(key))
    .map((key) => `${quoted(key)} was published, and there is no such order.`);
  const abandoned = abandonedOrders(evidence.history);
  const ofOrders = modes.flatMap((mode) =>
    orderIdsOf(evidence, mode).flatMap((orderId) => {
      const known = evidence.expected[mode].all.orders.get(orderId) ?? { events: [], marks: [] };
      if (!evidence.orderRows.has(orderKey(mode, orderId))) return [];
      const published = byOrder.get(orderKey(mode, orderId)) ?? [];
      const sentences = [
        ...truthSentences(evidence, known, published),
        ...(abandoned.has(orderKey(mode, orderId))
          ? []
          : completeSentences(evidence, { mode, orderId, published })),
      ];
      return sentences.map((sentence) => `The ${mode} order ${quoted(orderId)}: ${sentence}`);
    }),
  );
  return wrong(...crossed, ...rewritten, ...unknown, ...ofOrders);
}

/** Those of events, and those that a former version read in events. */
function orderIdsOf({ expected, formerOrders }: Evidence, mode: Mode): readonly string[] {
  const prefix = orderKey(mode, '');
  const former = [...formerOrders].filter((key) => key.startsWith(prefix));
  return [
    ...new Set([...expected[mode].all.orders.keys(), ...former.map((key) => key.slice(prefix.length))]),
  ];
}

/** The orders with a change on which Lambda gave up: its position is in the failure queue, with an alarm. */
export function abandonedOrders({ queues, streamRecords }: History): ReadonlySet<string | undefined> {
  const numbers = queues.feedFailures.flatMap(({ body }) => {
    const { DDBStreamBatchInfo } = JSON.parse(body) as { DDBStreamBatchInfo: { sequenceNumbers: string[] } };
    return DDBStreamBatchInfo.sequenceNumbers;
  });
  return new Set(
    streamRecords
      .filter(({ sequenceNumber }) => numbers.includes(sequenceNumber))
      .map(({ before, after }) => textOf(after ?? before ?? {}, 'order_key')),
  );
}

const bySequence = (changes: readonly Change[]): readonly Change[] =>
  [...new Map(changes.map((change) => [change.sequence, change])).values()].sort(
    (a, b) => a.sequence - b.sequence,
  );

const conditionText = (condition: Condition | null): string =>
  condition === null ? 'nothing' : [condition.status, ...condition.attention.toSorted()].join(' ');

interface Published {
  readonly mode: Mode;
  readonly orderId: string;
  readonly published: readonly Change[];
}

/** Each change begins where the one before ended, the first from nothing, and the last is the final state. */
function completeSentences(evidence: Evidence, { mode, orderId, published }: Published): readonly string[] {
  const changes = bySequence(published);
  const last = changes.at(-1);
  if (last === undefined) return ['the feed never published it.'];
  const gaps = changes.flatMap((change, n) => {
    const before = conditionText(changes[n - 1]?.current ?? null);
    const after = conditionText(change.previous);
    if (before === after) return [];
    return `change ${change.sequence} begins with "${after}", and the one before ended with "${before}".`;
  });
  const final = expectedStates(evidence, mode, orderId).map(moneyText);
  const { current, transactions } = last;
  const shown = transactions && moneyText({ ...current, transactions } as Parameters<typeof moneyText>[0]);
  const view = finalOrders(evidence.history).get(orderKey(mode, orderId));
  return [
    ...gaps,
    ...(shown === null || final.includes(shown) ? [] : [`last published as ${shown}; it is ${final[0]}.`]),
    ...(view !== undefined && last.sequence > view.sequence
      ? [`published with sequence ${last.sequence}, and it has only ${view.sequence}.`]
      : []),
  ];
}

/**
 * Every published state follows from some of the events, and names events that are among them. What a former
 * version read in the events gave it other states.
 */
function truthSentences(
  { known: bodies, history: { isReadAnew } }: Evidence,
  known: KnownOfOrder,
  published: readonly Change[],
): readonly string[] {
  const ids = new Set(bodies.map(({ row }) => row.eventId));
  const isSearched = !isReadAnew && known.events.length <= eventsSearchedMax;
  const states = isSearched ? possibleStates(known.events) : undefined;
  return published.flatMap(({ sequence, current, transactions, caused_by }) => {
    const strangers = caused_by.filter(({ id }) => !ids.has(id)).map(({ id }) => quoted(id));
    const isTrue = transactions === null || (states?.has(stateText(current.status, transactions)) ?? true);
    return [
      ...(isTrue
        ? []
        : [`change ${sequence} shows "${current.status}", which none of its events ever gave it.`]),
      ...(strangers.length === 0
        ? []
        : [`change ${sequence} names events that nothing recorded: ${strangers}.`]),
    ];
  });
}

const stateText = (status: string, transactions: readonly TransactionState[]): string =>
  JSON.stringify([status, transactions.map(({ id, status, amount }) => [id, status, amount])]);

/** The states after every choice of the events. */
function possibleStates(events: readonly SignedEvent[]): ReadonlySet<string> {
  return new Set(
    Array.from({ length: 2 ** events.length }, (_, choice) => {
      const chosen = events.filter((_, n) => (choice >> n) % 2 === 1);
      const { status, transactions } = orderState({ events: chosen, marks: [] });
      return stateText(status, transactions);
    }),
  );
}
