import { createActivity, ordersMax } from './activity.js';
import { hideDetail, showDetail } from './detail-panel.js';
import { part } from './element.js';
import { latestOrders } from './latest-orders.js';
import { showAlarms, showOrders, showRows, showTotals } from './overview.js';
import { orderPath, pathInHash } from './paths.js';

const activity = createActivity();
/** @type {import('./detail-panel.js').Sentences} */
let sentences = {};
/** @type {Readonly<Record<string, number>>} */
let totals = {};
let isDrawing = false;
let isRefreshing = false;

/** Under load hundreds of entries arrive between two frames; they are drawn once. */
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    showTotals(totals);
    showRows(activity.rows());
    showOrders(activity.orders());
  });
}

const getJson = async (/** @type {string} */ path) => (await fetch(path)).json();

/** Orders from before a restart are in the tables, not in the live log. */
async function loadOrders() {
  for (const mode of /** @type {const} */ (['live', 'sandbox'])) {
    const orders = await latestOrders(getJson, { mode, wanted: ordersMax, now: Date.now() });
    for (const order of orders) activity.addOrder(order);
  }
  draw();
}

const loadAlarms = async () => showAlarms(await getJson('/alarms'));

/** What failed to load is loaded again at the next connection. */
const ignore = () => {};

/**
 * Reloads the open order shortly after an event about it, once for a burst of events.
 * @param {import('./activity.js').Entry} entry
 */
function refreshDetail({ fields }) {
  const open = pathInHash(location.hash);
  const mode = fields.mode === 'sandbox' ? 'sandbox' : 'live';
  if (isRefreshing || fields.order_id === undefined || orderPath(fields.order_id, mode) !== open) return;
  isRefreshing = true;
  setTimeout(() => {
    isRefreshing = false;
    if (pathInHash(location.hash) === open) showDetail(open, sentences);
  }, 150);
}

/** @param {{ focus: boolean }} options */
async function openHash({ focus }) {
  const path = pathInHash(location.hash);
  if (path === undefined) {
    hideDetail();
  } else {
    await showDetail(path, sentences);
    if (focus) document.getElementById('detail-title')?.focus();
  }
  draw();
}

/** @type {(state: 'live' | 'lost', text: string) => void} */
function showConnection(state, text) {
  const status = part('connection');
  status.textContent = text;
  status.dataset['state'] = state;
}

const source = new EventSource('/console/events');
source.addEventListener('snapshot', ({ data }) => {
  const snapshot = JSON.parse(data);
  sentences = snapshot.attentionSentences;
  totals = snapshot.totals;
  activity.clear();
  for (const entry of snapshot.entries) activity.add(entry);
  showConnection('live', 'Live');
  draw();
  loadOrders().catch(ignore);
  loadAlarms().catch(ignore);
  openHash({ focus: false });
});
source.addEventListener('entry', ({ data }) => {
  const message = JSON.parse(data);
  totals = message.totals;
  activity.add(message.entry);
  if (message.entry.stage === 'alarm') loadAlarms().catch(ignore);
  refreshDetail(message.entry);
  draw();
});
source.addEventListener('error', () => {
  // The browser reconnects a lost stream, and closes a refused one.
  const isRefused = source.readyState === EventSource.CLOSED;
  showConnection('lost', isRefused ? 'Not connected: too many consoles are open' : 'Reconnecting …');
});

part('address').textContent = `${location.origin}/webhooks/payments`;
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
