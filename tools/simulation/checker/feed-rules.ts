import type { OrderStatusChanged as Change, Transaction } from '@payhooks/order-client';
import type { History } from '../history.ts';
import { type Evidence, modes, orderKey } from './evidence.ts';
import { expectedState } from './order-rules.ts';
import { orderState } from './order-state.ts';
import { finalOrders, moneyText } from './order-views.ts';
import type { Mode, SignedEvent } from './signed-body.ts';
import { textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const sources: Readonly<Record<string, Mode>> = { payhooks: 'live', 'payhooks.sandbox': 'sandbox' };
const wrong = violationsOf('feed');

/** Orders of more events are not searched for every state that they may have had. */
const choicesMax = 4_096;

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
    .filter(([, copies]) => new Set(copies.map(({ change }) => stateOf(change))).size > 1)
    .map(([id]) => `Two different states were published under the deduplication id ${id}.`);
  const byOrder = Map.groupBy(
    changes.map(({ change }) => change),
    ({ mode, order_id }) => orderKey(mode, order_id),
  );
  const unknown = [...byOrder.keys()]
    .filter((key) => !evidence.orderRows.has(key))
    .map((key) => `${quoted(key)} was published, and there is no such order.`);
  const abandoned = abandonedOrders(evidence.history);
  const ofOrders = modes.flatMap((mode) =>
    [...evidence.everRead[mode].orders].flatMap(([orderId, { events }]) => {
      if (!evidence.orderRows.has(orderKey(mode, orderId))) return [];
      const published = byOrder.get(orderKey(mode, orderId)) ?? [];
      const sentences = [
        ...truthSentences(evidence, events, published),
        ...(abandoned.has(orderKey(mode, orderId))
          ? []
          : completeSentences(evidence, { mode, orderId, published })),
      ];
      return sentences.map((sentence) => `The ${mode} order ${quoted(orderId)}: ${sentence}`);
    }),
  );
  return wrong(...crossed, ...rewritten, ...unknown, ...ofOrders);
}

/** The orders with a change on which Lambda gave up: its position is in the failure queue, with an alarm. */
function abandonedOrders({ queues, streamRecords }: History): ReadonlySet<string | undefined> {
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

/** Of two changes up to the same row, each names what it began with. */
const stateOf = ({ previous: _, caused_by: __, ...state }: Change): string => JSON.stringify(state);

interface Published {
  readonly mode: Mode;
  readonly orderId: string;
  readonly published: readonly Change[];
}

/** One change begins from nothing, and the last is the final state. */
function completeSentences(evidence: Evidence, { mode, orderId, published }: Published): readonly string[] {
  const changes = bySequence(published);
  const last = changes.at(-1);
  if (last === undefined) return ['the feed never published it.'];
  const isBegun = published.some(({ previous }) => previous === null);
  const final = moneyText(expectedState(evidence, mode, orderId));
  const { current, transactions } = last;
  const shown = transactions && moneyText({ ...current, transactions } as Parameters<typeof moneyText>[0]);
  const view = finalOrders(evidence.history).get(orderKey(mode, orderId));
  return [
    ...(isBegun ? [] : ['no change begins from nothing.']),
    ...(shown === null || final === shown ? [] : [`last published as ${shown}; it is ${final}.`]),
    ...(view !== undefined && last.sequence > view.sequence
      ? [`published with sequence ${last.sequence}, and it has only ${view.sequence}.`]
      : []),
  ];
}

/**
 * Every published state follows from some of the events, each as any version read it, and names events that
 * were recorded.
 */
function truthSentences(
  { known: bodies, history: { settings } }: Evidence,
  events: readonly SignedEvent[],
  published: readonly Change[],
): readonly string[] {
  const ids = new Set(bodies.map(({ row }) => row.eventId));
  const states = possibleStates(events);
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
      ...(sequence > settings.sequenceBase ? [] : [`change ${sequence} lacks the base of sequences.`]),
    ];
  });
}

const stateText = (status: string, transactions: readonly Transaction[]): string =>
  JSON.stringify([status, transactions.map(({ id, status, amount }) => [id, status, amount])]);

/** The states after every choice of the events, with one reading of each; `undefined` for too many. */
function possibleStates(events: readonly SignedEvent[]): ReadonlySet<string> | undefined {
  const readings = [...Map.groupBy(events, ({ id }) => id).values()];
  const number = readings.reduce((product, { length }) => product * (1 + length), 1);
  if (number > choicesMax) return undefined;
  const choices = readings.reduce<readonly (readonly SignedEvent[])[]>(
    (before, one) => before.flatMap((chosen) => [chosen, ...one.map((event) => [...chosen, event])]),
    [[]],
  );
  return new Set(
    choices.map((chosen) => {
      const { status, transactions } = orderState({ events: chosen, marks: [] });
      return stateText(status, transactions);
    }),
  );
}
