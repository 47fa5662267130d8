/**
 * What the page shows of the live log: one row per webhook, from its arrival to its outcome, one per
 * published change, and the orders.
 *
 * @typedef {import('../../live-log/entry.ts').LiveLogEntry} Entry
 * @typedef {import('./paths.js').Mode} Mode
 * @typedef {{ key: string, at: string, state: string, mode: Mode, eventName?: string | undefined,
 *   eventId?: string | undefined, orderId?: string | undefined, orderStatus?: string | undefined,
 *   statusBefore: string | null, sequence?: number | undefined, reason?: string | undefined,
 *   tookMilliseconds: number | null }} Row
 * @typedef {{ id: string, mode: Mode, status: string, at: string }} Order
 */

const rowsMax = 100;
export const ordersMax = 60;

/** The state of a row after each message; a handled event has its outcome. */
const states = new Map([
  ['webhook accepted', 'queued'],
  ['webhook refused', 'refused'],
  ['webhook failed', 'failed'],
  ['record will be retried', 'retrying'],
  ['order change published', 'published'],
  ['order change not published', 'not_published'],
]);
/** Alarms have a place of their own; counts, audits and rotations are about no single event. */
const stagesWithoutEvents = ['alarm', 'waiting-count', 'webhook-audit', 'token-refresh'];

export function createActivity() {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, Order>} */
  const orders = new Map();

  /** @param {Entry} entry */
  const add = (entry) => {
    const { at, message, stage, fields } = entry;
    if (stagesWithoutEvents.includes(stage)) return;
    const row = rowOf(entry);
    const known = rows.get(row.key);
    // The outcome stays, also when the verifier's line comes in after it.
    if (known === undefined || message !== 'webhook accepted')
      rows.set(row.key, { ...row, at: known?.at ?? at });
    prune(rows, rowsMax);
    // Not from the feed, which can lag the consumer.
    const { order_id: id, order_status: status } = fields;
    if (message === 'event handled' && id !== undefined && status !== undefined)
      addOrder({ id, mode: row.mode, status, at });
  };

  /** @param {Order} order */
  const addOrder = (order) => {
    const key = JSON.stringify([order.mode, order.id]);
    const known = orders.get(key);
    if (known !== undefined && known.at > order.at) return;
    // A map keeps its order of insertion, which decides between equal times.
    orders.delete(key);
    orders.set(key, order);
    if (orders.size > ordersMax) orders.delete(latestFirst().at(-1)?.[0] ?? key);
  };
  const latestFirst = () =>
    [...orders]
      .reverse()
      .sort(([, { at: left }], [, { at: right }]) => (left < right ? 1 : left > right ? -1 : 0));

  return {
    add,
    addOrder,
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
function rowOf({ message, fields, number, at, statusBefore, sinceAcceptedMilliseconds }) {
  const isHandled = message === 'event handled';
  const reason = fields.reason ?? fields.error_name ?? fields.error_code;
  return {
    key: fields.request_id ?? fields.message_id ?? fields.dedupe_id ?? `entry ${number}`,
    at,
    state: isHandled ? (fields.outcome ?? 'handled') : (states.get(message) ?? message),
    mode: fields.mode === 'sandbox' ? 'sandbox' : 'live',
    eventName: message.startsWith('order change ') ? 'OrderStatusChanged' : fields.event_name,
    eventId: fields.event_id,
    orderId: fields.order_id,
    orderStatus: fields.order_status,
    sequence: fields.sequence,
    reason: reason !== undefined && fields.status === 403 ? `signature ${reason}` : reason,
    statusBefore,
    tookMilliseconds: isHandled ? sinceAcceptedMilliseconds : null,
  };
}

/** @type {(map: Map<string, unknown>, sizeMax: number) => void} */
function prune(map, sizeMax) {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(key);
  }
}
