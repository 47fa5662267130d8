import { type Evidence, type KnownBody, modes, orderKey } from './evidence.ts';
import { isRefused, withinRow } from './full-orders.ts';
import type { KnownOfOrder } from './order-state.ts';
import { type OrderState, orderState } from './order-state.ts';
import { finalOrders, followed, moneyText, type ShownOrder } from './order-views.ts';
import { resolvedAttentions } from './resolved.ts';
import type { Mode } from './signed-body.ts';
import { factsOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('orders');
const outcome = violationsOf('outcomes');
const missed = violationsOf('list');

const noMoney: KnownOfOrder = { events: [], marks: [] };

/** What an order should show at the end, with what is being admitted and without. */
export function expectedStates(evidence: Evidence, mode: Mode, orderId: string): readonly OrderState[] {
  const { all, settled } = evidence.expected[mode];
  const row = evidence.orderRows.get(orderKey(mode, orderId));
  const resolved = resolvedAttentions(row);
  const stays = formerMarks(evidence, mode, orderId);
  return [all, settled].map(({ orders }) => {
    const { events, marks } = withinRow(orders.get(orderId) ?? noMoney, row);
    const state = orderState({ events, marks: [...marks, ...stays] });
    return { ...state, attention: state.attention.filter((name) => !resolved.has(name)) };
  });
}

/** A replay corrects what counts; what a former version saw shared stays marked, for a person to resolve. */
function formerMarks({ history, everRead, orderRows }: Evidence, mode: Mode, orderId: string) {
  const row = orderRows.get(orderKey(mode, orderId));
  if (history.readAnewFrom === undefined || row === undefined) return [];
  const { marks } = everRead[mode].orders.get(orderId) ?? noMoney;
  return marks.filter(
    ({ attention, about }) =>
      attention === 'transaction_in_two_orders' && factsOf(row).includes(JSON.stringify(['shared.1', about])),
  );
}

export function orderViolations(evidence: Evidence): readonly Violation[] {
  const shown = finalOrders(evidence.history);
  return modes.flatMap((mode) => {
    const { all, settled } = evidence.expected[mode];
    const prefix = orderKey(mode, '');
    const stored = [...evidence.orderRows.keys()].filter((key) => key.startsWith(prefix));
    const ids = new Set([...all.orders.keys(), ...stored.map((key) => key.slice(prefix.length))]);
    return [...ids].flatMap((orderId) => {
      const name = `The ${mode} order ${quoted(orderId)}`;
      const key = orderKey(mode, orderId);
      if (!evidence.everRead[mode].orders.has(orderId))
        return wrong(`${name} exists, and no event that was recorded belongs to it: it was invented.`);
      const view = shown.get(key);
      if (view === undefined && shown.has(key) && settled.orders.has(orderId))
        return wrong(`${name} does not exist, although ${eventsOf(all.orders.get(orderId))} belong to it.`);
      if (view === undefined) return [];
      const facts = factsOf(evidence.orderRows.get(key) ?? {}).length;
      return [
        ...viewViolations(name, view, expectedStates(evidence, mode, orderId)),
        ...(view.sequence === facts
          ? []
          : wrong(`${name} has ${facts} facts and the sequence ${view.sequence}.`)),
      ];
    });
  });
}

const eventsOf = ({ events }: KnownOfOrder = noMoney): string =>
  events.length === 0 ? 'marks of a conflict' : events.map(({ id }) => quoted(id)).join(', ');

function viewViolations(
  name: string,
  view: ShownOrder,
  expected: readonly OrderState[],
): readonly Violation[] {
  const texts = expected.map(completeText);
  const text = JSON.stringify([moneyText(view), eventTexts(view.events)]);
  if (texts.includes(text)) return [];
  return wrong(`${name} shows ${text}; its events give it ${texts[0]}.`);
}

function completeText(state: OrderState): string {
  const events = state.events.map(({ id, name, transactionId, amount, currency }) => {
    return { id, event_name: name, transaction_id: transactionId, amount, currency };
  });
  return JSON.stringify([moneyText(state), eventTexts(events)]);
}

const eventTexts = (events: ShownOrder['events']): readonly string[] =>
  events
    .map((one) => [one.id, one.event_name, one.transaction_id, one.amount, one.currency].join(' '))
    .sort();

/** A follower that read to the end knows every order in its last state. */
export function listViolations(evidence: Evidence): readonly Violation[] {
  const final = finalOrders(evidence.history);
  return followed(evidence.history).flatMap(({ mode, known, isAtEnd }, n) => {
    const reader = `Follower ${n + 1} of the ${mode} list`;
    if (!isAtEnd) return missed(`${reader} did not reach the end of the list.`);
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
  });
}

const sameView = (a: ShownOrder, b: ShownOrder): boolean =>
  a.sequence === b.sequence && moneyText(a) === moneyText(b);

/** The row of each body shows what became of it. */
export function outcomeViolations(evidence: Evidence): readonly Violation[] {
  return evidence.known.flatMap((body) => {
    const { row } = body;
    const expected = expectedOutcomes(evidence, body);
    const isRight = row.reason === 'order_refused' && row.outcome === 'quarantined';
    const shown = [row.outcome, row.assignedOrderId ?? ''].join(' ').trim();
    if (isRefused(evidence, body) ? isRight : !isRight && expected.includes(shown)) return [];
    const event = row.eventId === undefined ? 'a body' : quoted(row.eventId);
    return outcome(
      `The ${row.mode} ${row.place} row of ${event} (SHA-256 ${row.sha256.slice(0, 12)}…) shows ` +
        `"${shown}"; expected "${expected.join('" or "')}".`,
    );
  });
}

/** The outcome, and the order to which an event without an order id was assigned. */
function expectedOutcomes(evidence: Evidence, body: KnownBody): readonly string[] {
  const { row, recorded } = body;
  const { expected } = evidence;
  if (isRefused(evidence, body)) return ['quarantined, because an order of it is full'];
  if (row.place === 'quarantine') return ['quarantined'];
  if (row.place === 'unrecognised') return ['unrecognised'];
  if (recorded === undefined) return ['quarantined'];
  return [expected[row.mode].all, expected[row.mode].settled].map((known) => {
    const { outcome: name, orderIds } = known.outcomeOf(recorded);
    const [assigned] = orderIds.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return name === 'applied' && recorded.event.orderId === null ? `applied ${assigned}` : name;
  });
}
