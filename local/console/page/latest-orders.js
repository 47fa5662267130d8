/**
 * @typedef {import('./activity.js').Order} Order
 * @typedef {import('./paths.js').Mode} Mode
 * @typedef {(path: string) => Promise<unknown>} GetJson
 */

/** How far to look back: further only while too few orders are found. */
const daysBack = [1 / 24, 1, 30, Number.POSITIVE_INFINITY];
const pagesMax = 10;

/**
 * The orders of a mode that changed last, at most `wanted`. The order query lists the oldest change first, so
 * a period with more orders than the pages hold lacks the latest ones.
 * @param {GetJson} getJson
 * @param {{ mode: Mode, wanted: number, now: number }} options
 * @returns {Promise<Order[]>}
 */
export async function latestOrders(getJson, { mode, wanted, now }) {
  /** @type {Order[]} */
  let found = [];
  for (const days of daysBack) {
    if (found.length >= wanted) break;
    const since = Number.isFinite(days) ? now - days * 24 * 60 * 60 * 1000 : 0;
    found = await ordersSince(getJson, mode, new Date(since).toISOString());
  }
  return found.slice(-wanted);
}

/** @type {(getJson: GetJson, mode: Mode, since: string) => Promise<Order[]>} */
async function ordersSince(getJson, mode, since) {
  const found = [];
  /** @type {Record<string, string>} */
  let position = { updated_since: since };
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const query = new URLSearchParams({ mode, limit: '100', ...position });
    const { orders, next_cursor: cursor } = /** @type {any} */ (await getJson(`/orders?${query}`));
    for (const { order_id: id, status, updated_at: at } of orders) found.push({ id, mode, status, at });
    if (cursor === null) break;
    position = { cursor };
  }
  return found;
}
