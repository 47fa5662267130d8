import { badge, element, foreignId, part, timeOfDay } from './element.js';
import { visible } from './foreign-text.js';
import { eventPath, orderPath } from './paths.js';

/**
 * @typedef {import('./activity.js').Row} Row
 * @typedef {import('./activity.js').Order} Order
 */

/**
 * Writes the counters into the flow; the ones that changed light up.
 * @param {Readonly<Record<string, number>>} totals
 */
export function showTotals(totals) {
  for (const counter of document.querySelectorAll('[data-total]')) {
    const text = String(totals[counter.getAttribute('data-total') ?? ''] ?? 0);
    if (counter.textContent === text) continue;
    counter.textContent = text;
    const cell = counter.parentElement;
    cell?.classList.toggle('zero', text === '0');
    cell?.animate?.([{ backgroundColor: 'var(--flash)' }, {}], { duration: calm() ? 0 : 700 });
  }
}

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * A narrow screen lays the rows out as cards, and then some browsers no longer announce a table unless it
 * says so.
 */
const tableRoles = {
  '': 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  'thead tr': 'row',
  th: 'columnheader',
};
for (const [selector, role] of Object.entries(tableRoles)) {
  for (const found of document.querySelectorAll(`.events ${selector}`)) found.setAttribute('role', role);
}

/** @type {Map<string, { row: string, line: HTMLElement }>} */
const lines = new Map();

/**
 * Brings the table up to date; a line that did not change stays the same element, with its focus.
 * @param {readonly Row[]} rows
 */
export function showRows(rows) {
  const body = part('events');
  const shown = rows.map((row) => {
    const text = JSON.stringify(row);
    const known = lines.get(row.key);
    if (known?.row === text) return known.line;
    const line = tableLine(row);
    lines.set(row.key, { row: text, line });
    return line;
  });
  place(body, shown);
  const keys = new Set(rows.map(({ key }) => key));
  for (const key of lines.keys()) if (!keys.has(key)) lines.delete(key);
  part('no-events').hidden = rows.length > 0;
}

/** @param {Row} row */
function tableLine(row) {
  const { eventName, eventId, orderId, mode } = row;
  const cell = (
    /** @type {string} */ name,
    /** @type {(Node | string | false | undefined)[]} */ ...children
  ) => element('td', { class: name, role: 'cell' }, ...children);
  return element(
    'tr',
    { role: 'row' },
    cell('when', timeOfDay(row.at)),
    cell('outcome', badge(row.state), mode === 'sandbox' && ' ', mode === 'sandbox' && badge('sandbox')),
    cell(
      'event',
      eventName !== undefined && element('bdi', { class: 'name' }, visible(eventName)),
      eventId !== undefined && ' ',
      eventId !== undefined && link(eventPath(eventId, mode), eventId, 'Event'),
    ),
    cell('order', orderId !== undefined && link(orderPath(orderId, mode), orderId, 'Order')),
    cell('change', ...change(row)),
  );
}

/**
 * @param {Row} row
 * @returns {(Node | string | false | undefined)[]}
 */
function change({ orderStatus, statusBefore, sequence, reason, tookMilliseconds }) {
  const moved = statusBefore !== null && statusBefore !== orderStatus;
  return [
    orderStatus !== undefined && moved && badge(statusBefore),
    orderStatus !== undefined && (moved || statusBefore === null) && ' → ',
    orderStatus !== undefined && statusBefore === orderStatus && 'still ',
    orderStatus !== undefined && badge(orderStatus),
    sequence !== undefined && element('span', { class: 'took' }, ` sequence ${sequence}`),
    reason !== undefined && element('bdi', { class: 'reason' }, reason.replaceAll('_', ' ')),
    tookMilliseconds !== null && element('span', { class: 'took' }, ` ${tookMilliseconds} ms`),
  ];
}

/** @param {readonly Order[]} orders */
export function showOrders(orders) {
  const open = location.hash.slice(1);
  place(
    part('orders'),
    orders.map(({ id, mode, status }) => {
      const path = orderPath(id, mode);
      const anchor = link(path, id, 'Order');
      if (path === open) anchor.setAttribute('aria-current', 'true');
      return element('li', {}, anchor, mode === 'sandbox' && badge('sandbox'), badge(status));
    }),
  );
  part('no-orders').hidden = orders.length > 0;
}

/**
 * @param {string} path
 * @param {string} id
 * @param {string} kind
 */
function link(path, id, kind) {
  return element('a', { href: `#${path}`, 'aria-label': `${kind} ${id}` }, foreignId(id));
}

/**
 * Makes these the children of `parent` and moves only what is elsewhere.
 * @param {HTMLElement} parent
 * @param {readonly HTMLElement[]} children
 */
function place(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children])
    if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}
