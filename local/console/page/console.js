import { createActivity, ordersMax } from './activity.js';
import { loadAlarms } from './alarms.js';
import { hideDetail, showDetail } from './detail-panel.js';
import { part } from './element.js';
import { latestOrders } from './kept-orders.js';
import { showOrders, showRows, showTotals } from './overview.js';
import { orderPath, pathInHash } from './paths.js';

const activity = createActivity();
/** @type {import('./detail-panel.js').Setting} */
const setting = { baseUrl: location.origin, sentences: {} };
/** @type {Readonly<Record<string, number>>} */
let totals = {};
let scheduled = false;

/** Under load hundreds of entries come between two frames; they are drawn once. */
function drawSoon() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    showTotals(totals);
    showRows(activity.rows());
    showOrders(activity.orders());
  });
}

/** After a restart the live log knows of no order, and the tables know of all. */
async function loadOrders() {
  const ask = async (/** @type {string} */ path) => (await fetch(path)).json();
  for (const mode of /** @type {const} */ (['live', 'sandbox'])) {
    try {
      const orders = await latestOrders(ask, { mode, wanted: ordersMax, now: Date.now() });
      for (const order of orders) activity.addOrder(order);
    } catch {
      // What the live log tells is shown all the same; the next connection asks again.
    }
  }
  drawSoon();
}

let refreshing = false;

/**
 * What is open follows its order: asked for again shortly after an event about it, and not for every event
 * of a burst.
 * @param {import('./activity.js').Entry} entry
 */
function refreshDetail({ fields }) {
  const open = pathInHash(location.hash);
  const mode = fields.mode === 'sandbox' ? 'sandbox' : 'live';
  if (refreshing || fields.order_id === undefined || orderPath(fields.order_id, mode) !== open) return;
  refreshing = true;
  setTimeout(() => {
    refreshing = false;
    if (pathInHash(location.hash) === open) showDetail(open, setting);
  }, 150);
}

/** @param {{ focus: boolean }} options */
async function openHash({ focus }) {
  const path = pathInHash(location.hash);
  if (path === undefined) {
    hideDetail();
  } else {
    await showDetail(path, setting);
    const title = document.getElementById('detail-title');
    if (focus) title?.focus();
  }
  drawSoon();
}

function connect() {
  const status = part('connection');
  const source = new EventSource('/console/events');
  source.addEventListener('snapshot', ({ data }) => {
    const snapshot = JSON.parse(data);
    setting.baseUrl = snapshot.baseUrl;
    setting.sentences = snapshot.attentionSentences;
    totals = snapshot.totals;
    activity.clear();
    for (const entry of snapshot.entries) activity.add(entry);
    status.textContent = 'Live';
    status.dataset['state'] = 'live';
    part('address').textContent = `${setting.baseUrl}/webhooks/payments`;
    drawSoon();
    loadOrders();
    loadAlarms();
    openHash({ focus: false });
  });
  source.addEventListener('entry', ({ data }) => {
    const message = JSON.parse(data);
    totals = message.totals;
    activity.add(message.entry);
    if (message.entry.stage === 'alarm') loadAlarms();
    refreshDetail(message.entry);
    drawSoon();
  });
  source.addEventListener('error', () => {
    // A refused stream is closed for good; a lost one is tried again by the browser.
    const refused = source.readyState === EventSource.CLOSED;
    status.textContent = refused
      ? 'Not connected: too many consoles are open'
      : 'Connection lost, trying again';
    status.dataset['state'] = 'lost';
  });
}

part('lookup').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { id, mode } = Object.fromEntries(new FormData(form));
  if (id) location.hash = orderPath(String(id), mode === 'sandbox' ? 'sandbox' : 'live');
});
part('close-detail').addEventListener('click', () => {
  history.replaceState(null, '', '/');
  openHash({ focus: false });
});
addEventListener('hashchange', () => openHash({ focus: true }));
connect();
