/**
 * What the page shows of the live log: one row per webhook, from its arrival to its outcome, one per change
 * that the feed published, and the orders.
 *
 * @typedef {import('../../live-log/entry.ts').LiveLogEntry} Entry
 * @typedef {import('./paths.js').Mode} Mode
 * @typedef {{ key: string, at: string, state: string, mode: Mode, eventName?: string, eventId?: string,
 *   orderId?: string, orderStatus?: string, statusBefore: string | null, sequence?: number, reason?: string,
 *   tookMilliseconds: number | null }} Row
 * @typedef {{ id: string, mode: Mode, status: string, at: string }} Order
 */

const rowsMax = 100;
export const ordersMax = 60;

export function createActivity() {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, Order>} */
  const orders = new Map();

  /** @param {Entry} entry */
  const add = (entry) => {
    const { fields } = entry;
    if (isAboutNoEvent(entry)) return;
    const row = rowOf(entry);
    const known = rows.get(row.key);
    // The consumer's word is the last one, also when the verifier's line comes in after it.
    if (known === undefined || entry.message !== 'webhook accepted')
      rows.set(row.key, { ...row, at: known?.at ?? row.at });
    // The feed tells of a change later than the consumer, which may have made the next one by then.
    if (
      entry.message === 'event handled' &&
      fields.order_id !== undefined &&
      fields.order_status !== undefined
    )
      setOrder({ id: fields.order_id, mode: row.mode, status: fields.order_status, at: entry.at });
    prune(rows, rowsMax);
  };

  /** @param {Order} order */
  const setOrder = (order) => {
    const key = JSON.stringify([order.mode, order.id]);
    const known = orders.get(key);
    if (known !== undefined && known.at > order.at) return;
    // Deleted and set again: a map keeps its order of insertion, which decides between equal times.
    orders.delete(key);
    orders.set(key, order);
    if (orders.size > ordersMax) orders.delete(latestFirst().at(-1)?.[0] ?? key);
  };
  const latestFirst = () => [...orders].reverse().sort(([, left], [, right]) => compare(right.at, left.at));

  return {
    add,
    /** An order as the order query lists it; what an entry has told later stays. */
    addOrder: setOrder,
    /** Newest first. */
    rows: () => [...rows.values()].reverse(),
    /** The latest change first. */
    orders: () => latestFirst().map(([, order]) => order),
    clear: () => {
      rows.clear();
      orders.clear();
    },
  };
}

/**
 * @param {Entry} entry
 * @returns {Row}
 */
function rowOf(entry) {
  const { message, fields } = entry;
  return {
    key: fields.request_id ?? fields.message_id ?? fields.dedupe_id ?? `entry ${entry.number}`,
    at: entry.at,
    state: stateOf(entry),
    mode: fields.mode === 'sandbox' ? 'sandbox' : 'live',
    ...(fields.event_name && { eventName: fields.event_name }),
    ...(isOfFeed(entry) && { eventName: 'OrderStatusChanged' }),
    ...(fields.event_id && { eventId: fields.event_id }),
    ...(fields.order_id && { orderId: fields.order_id }),
    ...(fields.order_status && { orderStatus: fields.order_status }),
    ...(fields.sequence !== undefined && { sequence: fields.sequence }),
    ...reasonOf(entry),
    statusBefore: entry.statusBefore,
    tookMilliseconds: message === 'event handled' ? entry.sinceAcceptedMilliseconds : null,
  };
}

/**
 * Alarms have a place of their own, and what watches the payment service speaks of no event.
 * @param {Entry} entry
 */
function isAboutNoEvent({ stage }) {
  return ['alarm', 'webhook-audit', 'token-refresh'].includes(stage);
}

/** @param {Entry} entry */
function isOfFeed({ message }) {
  return message === 'order change published' || message === 'order change not published';
}

/**
 * @param {Entry} entry
 * @returns {{ reason?: string }}
 */
function reasonOf({ fields }) {
  const reason = fields.reason ?? fields.error_name ?? fields.error_code;
  if (reason === undefined) return {};
  return { reason: fields.status === 403 ? `signature ${reason}` : reason };
}

/** @type {(entry: Entry) => string} */
function stateOf({ message, fields }) {
  if (message === 'webhook accepted') return 'queued';
  if (message === 'webhook refused') return 'refused';
  if (message === 'webhook failed') return 'failed';
  if (message === 'record will be retried') return 'retrying';
  if (message === 'order change published') return 'published';
  if (message === 'order change not published') return 'not_published';
  return message === 'event handled' ? (fields.outcome ?? 'handled') : message;
}

/** @type {(left: string, right: string) => number} */
function compare(left, right) {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** @type {(map: Map<string, unknown>, sizeMax: number) => void} */
function prune(map, sizeMax) {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(key);
  }
}
