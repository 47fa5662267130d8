/**
 * The state of orders, computed a second time: from docs/assumptions.md, the API document and the table of
 * facts in docs/architecture.md, without any of the code that it is compared with. It starts from the text of
 * the bodies, in live mode, and from what was done to them.
 */
export interface ReferenceOrder {
  readonly status: string;
  readonly attention: readonly string[];
  readonly transactions: readonly ReferenceTransaction[];
  readonly events: readonly ReferenceOrderEvent[];
}

interface ReferenceOrderEvent {
  readonly id: string;
  readonly event_name: string;
  readonly transaction_id: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

interface ReferenceTransaction {
  readonly id: string | null;
  readonly status: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly created_at: string | null;
}

interface ReferenceEvent {
  readonly id: string;
  readonly name: string;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

const meanings = [
  ['transaction.refunded', 'refunded'],
  ['transaction.paid', 'paid'],
  ['transaction.failed', 'failed'],
  ['transaction.disputed', 'disputed'],
  ['transaction.charged_back', 'disputed'],
] as const;
const meaningOf = ({ name }: ReferenceEvent) => meanings.find(([known]) => known === name)?.[1] ?? 'history';

/** A1, A2, A11: the event of a body; `undefined` for a body that may change no order. */
export function readEvent(text: string): ReferenceEvent | undefined {
  if (!isJson(text)) return undefined;
  const body = asObject(JSON.parse(markNumbers(text)));
  const transaction = asObject(asObject(body['payload'])['transaction']);
  const [id, name] = [body['id'], body['event_name']];
  if (!isText(id, 512) || !isText(name, 256) || body['sandbox'] !== false) return undefined;
  const [orderId, transactionId] = [given(transaction['order_id']), given(transaction['id'])];
  if (orderId !== null && (typeof orderId !== 'string' || !isUnicode(orderId) || utf8Bytes(orderId) > 1024))
    return undefined;
  if (transactionId !== null && !isText(transactionId, 256)) return undefined;
  const field = (value: unknown): string | null => {
    const read = given(value);
    return isText(read, 256) ? read : null;
  };
  const [amount, currency] = [field(transaction['amount']), field(transaction['currency'])];
  return { id, name, orderId, transactionId, amount, currency, createdAt: field(transaction['created_at']) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Numbers keep their digits: `1e2` becomes `{"digits":"1e2"}`. */
const markNumbers = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `{"digits":"${token}"}`,
  );

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Missing, null and empty are the same; a number is the text of its digits. */
function given(value: unknown): unknown {
  const plain = asObject(value)['digits'] ?? value;
  return plain === undefined || plain === '' ? null : plain;
}

const codePoints = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);
const isUnicode = (text: string): boolean =>
  codePoints(text).every((point) => point < 0xd800 || point > 0xdfff);
const utf8 = (point: number): number => [0x80, 0x800, 0x10000].filter((limit) => point >= limit).length + 1;
const utf8Bytes = (text: string): number => codePoints(text).reduce((sum, point) => sum + utf8(point), 0);

/** Bytes in JSON: `\n` and `\"` take two, other control characters six. */
const jsonBytes = (text: string): number =>
  codePoints(text).reduce(
    (sum, point) => sum + ([8, 9, 10, 12, 13, 34, 92].includes(point) ? 2 : point < 32 ? 6 : utf8(point)),
    0,
  );
const isText = (value: unknown, bytesMax: number): value is string =>
  typeof value === 'string' && value !== '' && isUnicode(value) && jsonBytes(value) <= bytesMax;

/** An amount above zero, in units of 10^-30; otherwise `undefined`. */
function units({ amount }: ReferenceEvent): bigint | undefined {
  const [, whole = '', fraction = ''] = /^([0-9]{1,30})(?:\.([0-9]{1,30}))?$/.exec(amount ?? '') ?? [];
  const value = BigInt(whole + fraction.padEnd(30, '0'));
  return value > 0n ? value : undefined;
}

/** What an operator saw of all orders: bodies, and corrections of what bodies mean. */
export interface Seen {
  readonly bodies: readonly string[];
  readonly corrections: readonly { readonly body: string; readonly n: number }[];
}

/** Attentions of all orders that were resolved by an operator who saw this much. */
export interface ReferenceResolution {
  readonly seen: Seen;
  readonly attentions: readonly string[];
}

/**
 * Every order that the bodies name, by its id. An event that names only a transaction belongs to every order
 * in which the transaction was paid. Bodies under one event id must name the same order and transaction.
 */
export function referenceOrders(
  seen: Seen,
  resolutions: readonly ReferenceResolution[] = [],
): Map<string, ReferenceOrder> {
  const all = readAll(seen);
  const resolved = resolutions.map((one) => ({ ...one, seen: readAll(one.seen) }));
  const orderIds = all.events.map(({ orderId }) => orderId).filter((id) => id !== null);
  const states = [...new Set(orderIds)].map((orderId): [string, ReferenceOrder] => {
    const known = knownOf(orderId, all);
    const state = referenceOrder(
      known.events.filter((event) => (known.corrected.get(textOf(event)) ?? 0) % 2 === 0),
      known.shared.length > 0,
    );
    const names = resolved
      .filter((one) => knownOf(orderId, one.seen).text === known.text)
      .flatMap(({ attentions }) => attentions);
    return [orderId, { ...state, attention: state.attention.filter((name) => !names.includes(name)) }];
  });
  return new Map(states);
}

const textOf = (event: ReferenceEvent): string =>
  JSON.stringify([event.id, event.name, event.transactionId, event.amount, event.currency, event.createdAt]);

const readAll = ({ bodies, corrections }: Seen) => ({
  events: bodies.map(readEvent).filter((event) => event !== undefined),
  corrections: corrections.map(({ body, n }) => ({ event: readEvent(body), n })),
});

/** All that is known of an order; `text` is the same for the same knowledge. */
function knownOf(orderId: string, { events: all, corrections }: ReturnType<typeof readAll>) {
  const payments = all.filter((event) => meaningOf(event) === 'paid');
  const ordersOf = (transactionId: string | null): Set<string> => {
    const paying =
      transactionId === null ? [] : payments.filter((event) => event.transactionId === transactionId);
    return new Set(paying.map((event) => event.orderId).filter((id) => id !== null));
  };
  const events = all.filter((event) =>
    event.orderId === null ? ordersOf(event.transactionId).has(orderId) : event.orderId === orderId,
  );
  const own = payments.filter((event) => event.orderId === orderId);
  const shared = own.flatMap(({ transactionId }) =>
    transactionId !== null && ordersOf(transactionId).size > 1 ? [transactionId] : [],
  );
  const texts = events.map(textOf);
  const corrected = new Map<string, number>();
  const done: string[] = [];
  for (const { event, n } of corrections) {
    if (event === undefined || !texts.includes(textOf(event))) continue;
    corrected.set(textOf(event), Math.max(n, corrected.get(textOf(event)) ?? 0));
    done.push(`${textOf(event)} ${n}`);
  }
  const distinct = [texts, shared, done].map((list) => [...new Set(list)].sort());
  return { events, shared, corrected, text: JSON.stringify(distinct) };
}

function referenceOrder(events: readonly ReferenceEvent[], elsewhere: boolean): ReferenceOrder {
  const found = new Set<string>(elsewhere ? ['transaction_in_two_orders'] : []);
  const counted = [...new Set(events.map(({ id }) => id))].sort().flatMap((id) => {
    const [best, ...others] = rivalsOf(events.filter((event) => event.id === id));
    if (others.length > 0) found.add('conflicting_event');
    return best ?? [];
  });
  // A6: an event without a transaction id stands alone.
  const nameOf = ({ id, transactionId }: ReferenceEvent) => JSON.stringify([transactionId ?? { event: id }]);
  const transactions = [...new Set(counted.map(nameOf))].map((name) =>
    referenceTransaction(
      counted.filter((event) => nameOf(event) === name),
      found,
    ),
  );
  const statuses = transactions.map(({ status }) => status);
  const keeps = (status: string): boolean => status === 'paid' || status === 'partially_refunded';
  if (statuses.filter(keeps).length > 1) found.add('multiple_paid_transactions');
  if (currencies(counted.filter((event) => movesMoney(event))).size > 1) found.add('currency_mixed');
  return {
    status: statusOf(new Set(statuses), found.has('refund_without_payment')),
    attention: [...found].sort(),
    transactions: transactions.sort((a, b) => less(a.created_at, b.created_at) || less(a.id, b.id)),
    events: counted.map(({ id, name, transactionId, amount, currency }) => {
      return { id, event_name: name, transaction_id: transactionId, amount, currency };
    }),
  };
}

const movesMoney = (event: ReferenceEvent): boolean =>
  ['paid', 'failed', 'refunded'].includes(meaningOf(event));

function statusOf(has: ReadonlySet<string>, unmatchedRefund: boolean): string {
  if (has.has('partially_refunded') || (has.has('paid') && unmatchedRefund)) return 'partially_refunded';
  return ['paid', 'refunded', 'failed'].find((status) => has.has(status)) ?? 'pending';
}

/** A22: the facts under one event id, the one that counts first. */
function rivalsOf(events: readonly ReferenceEvent[]): readonly ReferenceEvent[] {
  const order = ['refunded', 'paid', 'failed', 'disputed', 'history'];
  const distinct = new Map(events.map((event) => [textOf(event), event]));
  return [...distinct.keys()]
    .sort()
    .flatMap((text) => distinct.get(text) ?? [])
    .sort((a, b) => order.indexOf(meaningOf(a)) - order.indexOf(meaningOf(b)) || bySize(a, b));
}

const bySize = (a: ReferenceEvent, b: ReferenceEvent): number => {
  const difference = (units(b) ?? 0n) - (units(a) ?? 0n);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

function less(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return b === null || (a !== null && a < b) ? -1 : 1;
}

/** A3: case does not matter; none is that of the transaction. */
const currencies = (events: readonly ReferenceEvent[]): Set<string> =>
  new Set(events.map(({ currency }) => currency?.toLowerCase()).filter((currency) => currency !== undefined));

function referenceTransaction(events: readonly ReferenceEvent[], found: Set<string>): ReferenceTransaction {
  const meaning = (wanted: string) => events.filter((event) => meaningOf(event) === wanted);
  const [payments, failures, refunds] = [
    meaning('paid').sort(bySize),
    meaning('failed'),
    meaning('refunded'),
  ];
  const others = [...meaning('disputed'), ...meaning('history')];
  if (meaning('disputed').length > 0) found.add('disputed');
  const prices = payments.map(units);
  if (prices.includes(undefined)) found.add('payment_amount_unreadable');
  if (new Set(prices).size > 1) found.add('payment_amount_ambiguous');
  let status = payments.length > 0 ? 'paid' : failures.length > 0 ? 'failed' : 'pending';
  if (refunds.length > 0) {
    status = returnedInFull(payments, refunds, found) ? 'refunded' : 'partially_refunded';
  }
  // A23: what describes a transaction.
  const sources = events.some(movesMoney) ? [...payments, ...failures, ...refunds] : others;
  const priced =
    payments.length > 0 ? payments : failures.length > 0 ? failures : refunds.length > 0 ? [] : others;
  return {
    id: events[0]?.transactionId ?? null,
    status,
    amount: priced.find(({ amount }) => amount !== null)?.amount ?? null,
    currency: sources.find(({ currency }) => currency !== null)?.currency ?? null,
    created_at: sources.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null,
  };
}

/**
 * A4, A5: each refund is either an amount of its own or the total so far; what is true in both readings is
 * certain.
 */
function returnedInFull(
  payments: readonly ReferenceEvent[],
  refunds: readonly ReferenceEvent[],
  found: Set<string>,
): boolean {
  if (payments.length === 0) {
    found.add('refund_without_payment');
    return true;
  }
  const price = payments[0] && units(payments[0]);
  const amounts = refunds
    .filter((refund) => currencies([refund, ...payments]).size < 2)
    .flatMap((refund) => units(refund) ?? []);
  if (price === undefined || amounts.length !== refunds.length) found.add('refund_amount_ambiguous');
  if (price === undefined) return false;
  const ifOwn = amounts.reduce((sum, amount) => sum + amount, 0n);
  const ifTotal = amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
  const timesInFull = amounts.filter((amount) => amount === price).length;
  if (ifTotal > price || timesInFull > 1) found.add('refund_exceeds_payment');
  else if (ifOwn >= price && ifOwn > ifTotal) found.add('refund_amount_ambiguous');
  return ifTotal >= price;
}
