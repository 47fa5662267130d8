import { badge, element, link, part, timeOfDay, visible } from './element.js';
import { eventPath, orderPath } from './paths.js';

/**
 * @typedef {import('./activity.js').Row} Row
 * @typedef {import('./activity.js').Order} Order
 * @typedef {import('../../pipeline/alarms.ts').AlarmView} Alarm
 */

/**
 * Writes the counters into the flow; those that changed light up.
 * @param {Readonly<Record<string, number>>} totals
 */
export function showTotals(totals) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const counter of document.querySelectorAll('[data-total]')) {
    const text = String(totals[counter.getAttribute('data-total') ?? ''] ?? 0);
    if (counter.textContent === text) continue;
    counter.textContent = text;
    const cell = counter.parentElement;
    cell?.classList.toggle('zero', text === '0');
    if (!isCalm) cell?.animate([{ backgroundColor: 'var(--flash)' }, {}], { duration: 700 });
  }
}

/** @param {readonly Alarm[]} alarms */
export function showAlarms(alarms) {
  const active = alarms.filter(({ state }) => state === 'ALARM');
  part('alarm-list').replaceChildren(
    ...active.map(({ name, meaning }) => element('li', {}, element('b', {}, name), ` ${meaning}`)),
  );
  part('alarms').hidden = active.length === 0;
}

/** @type {Map<string, { text: string, line: HTMLElement }>} */
let lines = new Map();

/**
 * Updates the table; a line that has not changed stays the same element and keeps its focus.
 * @param {readonly Row[]} rows
 */
export function showRows(rows) {
  lines = new Map(
    rows.map((row) => {
      const text = JSON.stringify(row);
      const known = lines.get(row.key);
      return [row.key, known?.text === text ? known : { text, line: tableLine(row) }];
    }),
  );
  place(
    part('events'),
    [...lines.values()].map(({ line }) => line),
  );
  part('no-events').hidden = rows.length > 0;
}

/** @param {Row} row */
function tableLine(row) {
  const { eventName, eventId, orderId, mode } = row;
  return element(
    'tr',
    {},
    element('td', { class: 'when' }, timeOfDay(row.at)),
    element('td', {}, badge(row.state), ' ', mode === 'sandbox' && badge('sandbox')),
    element(
      'td',
      {},
      eventName !== undefined && element('bdi', { class: 'name' }, visible(eventName)),
      ' ',
      eventId !== undefined && link(eventPath(eventId, mode), eventId, 'Event'),
    ),
    element('td', {}, orderId !== undefined && link(orderPath(orderId, mode), orderId, 'Order')),
    element('td', {}, ...change(row)),
  );
}

/**
 * @param {Row} row
 * @returns {(Node | string | false)[]}
 */
function change({ orderStatus, statusBefore, sequence, reason, tookMilliseconds }) {
  const isSame = statusBefore === orderStatus;
  const status =
    orderStatus === undefined
      ? []
      : [
          !isSame && statusBefore !== null && badge(statusBefore),
          isSame ? 'still ' : ' → ',
          badge(orderStatus),
        ];
  return [
    ...status,
    sequence !== undefined && element('span', { class: 'took' }, ` sequence ${sequence}`),
    reason !== undefined && element('bdi', { class: 'name' }, reason.replaceAll('_', ' ')),
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
 * Makes these the children of `parent` and moves only those that are elsewhere.
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
