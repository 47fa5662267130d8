import type { Order } from '@payhooks/order-client';
import { type Evidence, isAdmitted, type KnownBody, modes, orderKey } from './evidence.ts';
import { isFull, isRefused, withinRow } from './full-orders.ts';
import { isAboutMoney } from './money.ts';
import { type OrderState, orderState } from './order-state.ts';
import { finalOrders, followed, moneyText } from './order-views.ts';
import { type KnownOfOrder, textsOf } from './projection.ts';
import { isResolution, resolvedAttentions } from './resolved.ts';
import type { Mode } from './signed-body.ts';
import { factsOf, sequenceOf, textOf, transactionKey } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('orders');
const outcome = violationsOf('outcomes');
const missed = violationsOf('list');

const nothing: KnownOfOrder = { events: [], marks: [] };
/** DynamoDB's own limit, which no order of a run reaches. */
const rowBytesMax = 400 * 1024;

/** What an order should show at the end. */
export function expectedState(evidence: Evidence, mode: Mode, orderId: string): OrderState {
  const row = evidence.orderRows.get(orderKey(mode, orderId));
  const known = evidence.expected[mode].orders.get(orderId) ?? nothing;
  const resolved = resolvedAttentions(row);
  const state = orderState(withinRow(known, row));
  return { ...state, attention: state.attention.filter((name) => !resolved.has(name)) };
}

/** What is stored of orders and transactions is the projection of all bodies, and what is shown its fold. */
export function orderViolations(evidence: Evidence): readonly Violation[] {
  const shown = finalOrders(evidence.history);
  const ofOrders = modes.flatMap((mode) => {
    const prefix = orderKey(mode, '');
    const present = [...evidence.orderRows.keys()].filter((key) => key.startsWith(prefix));
    const ids = present.map((key) => key.slice(prefix.length));
    return [...new Set([...evidence.expected[mode].orders.keys(), ...ids])].flatMap((orderId) => {
      const name = `The ${mode} order ${quoted(orderId)}`;
      if (!evidence.everRead[mode].orders.has(orderId))
        return `${name} exists, and no event that was recorded belongs to it: it was invented.`;
      const key = orderKey(mode, orderId);
      const view = shown.get(key);
      const isHidden = view === undefined && shown.has(key) && evidence.orderRows.has(key);
      return [
        ...(isHidden ? ['exists, and a reader does not get it.'] : []),
        ...storedSentences(evidence, mode, orderId),
        ...(view === undefined ? [] : viewSentences(evidence, { mode, orderId, view })),
      ].map((sentence) => `${name} ${sentence}`);
    });
  });
  return wrong(...ofOrders, ...transactionSentences(evidence), ...sequenceSentences(evidence));
}

function storedSentences(
  { expected, orderRows, history }: Evidence,
  mode: Mode,
  orderId: string,
): readonly string[] {
  const row = orderRows.get(orderKey(mode, orderId));
  const texts = textsOf(expected[mode].orders.get(orderId) ?? nothing);
  if (row === undefined) return [`does not exist, although ${[...texts]} belong to it.`];
  const facts = factsOf(row).filter((fact) => !isResolution(fact) && fact !== '["full"]');
  const missing = isFull(row) ? [] : [...texts].filter((text) => !facts.includes(text));
  const left = facts.filter((fact) => !texts.has(fact));
  const hasRoom = isFull(row) && history.orderBytesMax === rowBytesMax;
  return [
    ...(hasRoom ? ['says that it is full, and its row has room.'] : []),
    ...(missing.length === 0 ? [] : [`lacks ${missing}.`]),
    ...(left.length === 0 ? [] : [`holds ${left}, which its events do not give it.`]),
  ];
}

interface View {
  readonly mode: Mode;
  readonly orderId: string;
  readonly view: Order;
}

function viewSentences(evidence: Evidence, { mode, orderId, view }: View): readonly string[] {
  const state = expectedState(evidence, mode, orderId);
  const events = state.events.map(({ id, name, transactionId, amount, currency }) => {
    return { id, event_name: name, transaction_id: transactionId, amount, currency };
  });
  const expected = JSON.stringify([moneyText(state), eventTexts(events)]);
  const text = JSON.stringify([moneyText(view), eventTexts(view.events)]);
  const stored = sequenceOf(evidence.orderRows.get(orderKey(mode, orderId)));
  const sequence = stored + evidence.history.settings.sequenceBase;
  return [
    ...(text === expected ? [] : [`shows ${text}; its events give it ${expected}.`]),
    ...(view.sequence === sequence ? [] : [`shows the sequence ${view.sequence}; it is ${sequence}.`]),
  ];
}

type Shown = Pick<Order['events'][number], 'id' | 'event_name' | 'transaction_id' | 'amount' | 'currency'>;
const eventTexts = (events: readonly Shown[]): readonly string[] =>
  events
    .map((one) => [one.id, one.event_name, one.transaction_id, one.amount, one.currency].join(' '))
    .sort();

function transactionSentences({ expected, stored }: Evidence): readonly string[] {
  return modes.flatMap((mode) => {
    const prefix = transactionKey(mode, '');
    const present = [...stored.transactions.keys()].filter((key) => key.startsWith(prefix));
    const ids = [...expected[mode].transactions.keys(), ...present.map((key) => key.slice(prefix.length))];
    return [...new Set(ids)].flatMap((id) => {
      const entries = (stored.transactions.get(transactionKey(mode, id)) ?? []).toSorted();
      const wanted = [...(expected[mode].transactions.get(id) ?? [])].sort();
      if (JSON.stringify(entries) === JSON.stringify(wanted)) return [];
      return `The row of the ${mode} transaction ${quoted(id)} holds ${entries}; it should hold ${wanted}.`;
    });
  });
}

/** It grows with every change of the facts, and never goes back. */
const sequenceSentences = ({ history }: Evidence): readonly string[] =>
  history.streamRecords.flatMap(({ before, after }) => {
    if (after === undefined) return [];
    const [from, to] = [sequenceOf(before), sequenceOf(after)];
    const isChanged = String(factsOf(before ?? {}).toSorted()) !== String(factsOf(after).toSorted());
    if (isChanged ? to > from : to >= from) return [];
    const what = isChanged ? 'a change of its facts' : 'a write';
    const key = quoted(textOf(after, 'order_key') ?? '');
    return `With ${what} the sequence of ${key} went from ${from} to ${to}.`;
  });

/** A follower that read to the end knows every order in its last state. */
export function listViolations(evidence: Evidence): readonly Violation[] {
  const { mode, known, isAtEnd } = followed(evidence.history);
  const reader = `The follower of the ${mode} list`;
  if (!isAtEnd) return missed(`${reader} did not reach the end of the list.`);
  const final = finalOrders(evidence.history);
  const prefix = orderKey(mode, '');
  const present = [...evidence.orderRows.keys()].filter((key) => key.startsWith(prefix));
  const lost = present.filter((key) => !known.has(key)).map((key) => quoted(key.slice(prefix.length)));
  const stale = [...known].flatMap(([key, order]) => {
    const last = final.get(key);
    if (last === undefined || sameView(last, order)) return [];
    const held = `${moneyText(order)} with sequence ${order.sequence}`;
    const is = `${moneyText(last)} with ${last.sequence}`;
    return `${reader} has ${quoted(order.order_id)} as ${held}; it is ${is}.`;
  });
  return missed(...lost.map((id) => `${reader} never got the order ${id}.`), ...stale);
}

const sameView = (a: Order, b: Order): boolean => a.sequence === b.sequence && moneyText(a) === moneyText(b);

/** What became of a body, why it waits, and the orders of an event that names none. */
interface Derived {
  readonly outcome: string;
  readonly waiting?: string | undefined;
  readonly assigned?: readonly string[];
}

/** The row of each body shows what became of it. */
export function outcomeViolations(evidence: Evidence): readonly Violation[] {
  return evidence.known.flatMap((body) => {
    const { row } = body;
    const expected = textOfDerived(derivedOf(evidence, body));
    const shown = textOfDerived({ ...row, assigned: row.assignedOrderIds });
    if (shown === expected) return [];
    const event = row.eventId === undefined ? 'a body' : quoted(row.eventId);
    return outcome(
      `The ${row.mode} ${row.place} row of ${event} (SHA-256 ${row.sha256.slice(0, 12)}…) shows ` +
        `"${shown}"; expected "${expected}".`,
    );
  });
}

const textOfDerived = ({ outcome, waiting, assigned = [] }: Derived): string =>
  [outcome, ...(waiting ? [`waits as ${waiting}`] : []), ...assigned.map((id) => `in ${id}`)].join(', ');

/** What follows for the row of a body. What an operator judged does not wait. */
function derivedOf(evidence: Evidence, body: KnownBody): Derived {
  const { row, read } = body;
  const judged = row.judged !== undefined;
  const waits = (kind: string, outcome = kind): Derived => ({ outcome, waiting: judged ? undefined : kind });
  if (row.place === 'unrecognised') return waits('unrecognised');
  if (read === undefined) return waits('quarantined');
  if (row.place === 'conflict' && !isAdmitted(row)) return waits('conflict');
  const orderIds = evidence.expected[row.mode].ordersOf(read);
  const assigned = read.event.orderId === null ? orderIds.toSorted() : [];
  const isDismissed = row.judged?.verdict === 'dismissed';
  const waitsFor = (kind: string, outcome: string) => ({
    ...{ outcome, assigned, waiting: isDismissed ? undefined : kind },
  });
  if (isRefused(evidence, body)) return waitsFor('order_refused', 'quarantined');
  if (orderIds.length > 0) return { outcome: 'applied', assigned };
  return isAboutMoney(read.event) ? waitsFor('unassigned', 'unassigned') : { outcome: 'recorded' };
}
