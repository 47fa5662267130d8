/**
 * What the page shows of the live log: one row per webhook, from its arrival to its outcome, and the orders
 * seen.
 *
 * @typedef {import('../../live-log.ts').LiveLogEntry} Entry
 * @typedef {import('./paths.js').Mode} Mode
 * @typedef {{ key: string, at: string, state: string, mode: Mode, eventName?: string, eventId?: string,
 *   orderId?: string, orderStatus?: string, statusBefore: string | null, reason?: string,
 *   tookMilliseconds: number | null }} Row
 * @typedef {{ id: string, mode: Mode, status: string, at: string }} Order
 */

const rowsMax = 100;
const ordersMax = 60;

export function createActivity() {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, Order>} */
  const orders = new Map();

  /** @param {Entry} entry */
  const add = (entry) => {
    const { fields } = entry;
    const row = rowOf(entry);
    const known = rows.get(row.key);
    // The consumer's word is the last one, also when the verifier's line comes in after it.
    if (known === undefined || entry.message !== 'webhook accepted')
      rows.set(row.key, { ...row, at: known?.at ?? row.at });
    if (fields.order_id !== undefined && fields.order_status !== undefined) {
      const key = JSON.stringify([row.mode, fields.order_id]);
      // Deleted and set again: a map keeps its order of insertion, and the latest change shall come last.
      orders.delete(key);
      orders.set(key, { id: fields.order_id, mode: row.mode, status: fields.order_status, at: entry.at });
    }
    prune(rows, rowsMax);
    prune(orders, ordersMax);
  };

  return {
    add,
    /** Newest first. */
    rows: () => [...rows.values()].reverse(),
    /** The latest change first. */
    orders: () => [...orders.values()].reverse(),
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
    key: fields.request_id ?? fields.message_id ?? `entry ${entry.number}`,
    at: entry.at,
    state: stateOf(entry),
    mode: fields.mode === 'sandbox' ? 'sandbox' : 'live',
    ...(fields.event_name && { eventName: fields.event_name }),
    ...(fields.event_id && { eventId: fields.event_id }),
    ...(fields.order_id && { orderId: fields.order_id }),
    ...(fields.order_status && { orderStatus: fields.order_status }),
    ...reasonOf(entry),
    statusBefore: entry.statusBefore,
    tookMilliseconds: message === 'event handled' ? entry.sinceAcceptedMilliseconds : null,
  };
}

/**
 * @param {Entry} entry
 * @returns {{ reason?: string }}
 */
function reasonOf({ fields }) {
  const reason = fields.reason ?? fields.error_name;
  if (reason === undefined) return {};
  return { reason: fields.status === 403 ? `signature ${reason}` : reason };
}

/** @type {(entry: Entry) => string} */
function stateOf({ message, fields }) {
  if (message === 'webhook accepted') return 'queued';
  if (message === 'webhook refused') return 'refused';
  if (message === 'webhook failed') return 'failed';
  if (message === 'record will be retried') return 'retrying';
  return message === 'event handled' ? (fields.outcome ?? 'handled') : message;
}

/** @type {(map: Map<string, unknown>, sizeMax: number) => void} */
function prune(map, sizeMax) {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(key);
  }
}
