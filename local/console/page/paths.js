/**
 * The paths of the order query, and what may be done with them. A path is built from ids that strangers
 * chose, ends up in a link, a request and a shell command, and so consists of a few harmless characters only.
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
 * A command that may be pasted into a shell, whatever the id was.
 * @type {(baseUrl: string, path: string) => string}
 */
export const curlCommand = (baseUrl, path) => `curl -s '${baseUrl}${path}'`;

/**
 * encodeURIComponent leaves !'()* alone, of which a quote ends the shell's string; and it throws on half a
 * character, which a cut id may end with.
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
