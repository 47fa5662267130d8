/**
 * The orders that were there before the page was: what the order query lists.
 *
 * @typedef {import('./activity.js').Order} Order
 * @typedef {import('./paths.js').Mode} Mode
 * @typedef {(path: string) => Promise<unknown>} Ask Gives the JSON at a path of the order query.
 */

/** How far back the page looks: further only while it has found too few. */
const daysBack = [1 / 24, 1, 30, Number.POSITIVE_INFINITY];
const pagesMax = 10;
const pageOrdersMax = 100;

/**
 * The orders of a mode that changed last, as many as `wanted`. The list begins with the oldest change, and so
 * a look back that finds more than its pages hold ends before the latest.
 * @param {Ask} ask
 * @param {{ mode: Mode, wanted: number, now: number }} options
 * @returns {Promise<Order[]>}
 */
export async function latestOrders(ask, { mode, wanted, now }) {
  /** @type {Order[]} */
  let found = [];
  for (const days of daysBack) {
    if (found.length >= wanted) break;
    const since = Number.isFinite(days) ? now - days * 24 * 60 * 60 * 1000 : 0;
    found = await ordersSince(ask, mode, new Date(since).toISOString());
  }
  return found.slice(-wanted);
}

/**
 * @param {Ask} ask
 * @param {Mode} mode
 * @param {string} since
 */
async function ordersSince(ask, mode, since) {
  /** @type {Order[]} */
  const found = [];
  let next = new URLSearchParams({ mode, limit: String(pageOrdersMax), updated_since: since });
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = /** @type {any} */ (await ask(`/orders?${next}`));
    for (const { order_id: id, status, updated_at: at } of answer.orders)
      found.push({ id, mode, status, at });
    if (answer.next_cursor === null) break;
    next = new URLSearchParams({ mode, limit: String(pageOrdersMax), cursor: answer.next_cursor });
  }
  return found;
}
