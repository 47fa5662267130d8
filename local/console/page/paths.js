/**
 * Paths of the order query. They are built from foreign ids and end up in links, requests and a shell
 * command, so they consist of a few harmless characters.
 *
 * @typedef {'live' | 'sandbox'} Mode
 */

/** @type {(orderId: string, mode: Mode) => string} */
export const orderPath = (orderId, mode) => `/orders/${encodeId(orderId)}${query(mode)}`;

/** @type {(eventId: string, mode: Mode) => string} */
export const eventPath = (eventId, mode) => `/events/${encodeId(eventId)}${query(mode)}`;

/**
 * The path in a location's hash, such as `#/orders/order-1`; `undefined` for any other text.
 * @type {(hash: string) => string | undefined}
 */
export function pathInHash(hash) {
  return /^#(\/(?:orders|events)\/[\w.~%-]+(?:\?mode=sandbox)?)$/.exec(hash)?.[1];
}

/**
 * A command that is safe to paste into a shell, whatever the id.
 * @type {(baseUrl: string, path: string) => string}
 */
export const curlCommand = (baseUrl, path) => `curl -s '${baseUrl}${path}'`;

/**
 * encodeURIComponent leaves !'()* as they are, and a quote ends the shell's string. It throws on half a
 * surrogate pair, which a cut id can end with.
 * @param {string} id
 */
function encodeId(id) {
  return encodeURIComponent(id.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** @param {Mode} mode */
function query(mode) {
  return mode === 'sandbox' ? '?mode=sandbox' : '';
}
