import { badge, element, foreignId, part, timeOfDay } from './element.js';
import { readableJson, visible } from './foreign-text.js';
import { curlCommand, eventPath, orderPath } from './paths.js';

/**
 * @typedef {import('../../../lambdas/order-query/order-view.ts').OrderView} OrderView
 * @typedef {import('../../../lambdas/order-query/event-view.ts').EventView} EventView
 * @typedef {{ baseUrl: string, sentences: Readonly<Record<string, string>> }} Setting
 */

/** Counts the requests, so that a late answer never covers the one for what was opened after it. */
let request = 0;

/**
 * Shows the order or event at a path of the order query.
 * @param {string} path
 * @param {Setting} setting
 */
export async function showDetail(path, setting) {
  request += 1;
  const mine = request;
  const content = await load(path, setting);
  if (mine !== request) return;
  const command = curlCommand(setting.baseUrl, path);
  const body = part('detail-body');
  const wasOpen = body.querySelector('details')?.open ?? false;
  body.replaceChildren(
    ...content,
    element('h3', {}, 'Ask for it yourself'),
    element('div', { class: 'command' }, element('code', {}, command), copyButton(command)),
  );
  // An update that arrives while somebody reads the whole answer leaves it open.
  for (const details of body.querySelectorAll('details')) details.open = wasOpen;
  part('detail').hidden = false;
}

export function hideDetail() {
  request += 1;
  part('detail').hidden = true;
}

/**
 * @param {string} path
 * @param {Setting} setting
 * @returns {Promise<Node[]>}
 */
async function load(path, setting) {
  const answer = await ask(path);
  if (answer === undefined) {
    return [heading('No answer'), paragraph('The order query could not be reached, or gave no JSON.')];
  }
  const { status, view } = answer;
  if (status === 404) return [heading('Nothing here'), paragraph(String(view.detail ?? 'Not known so far.'))];
  if (status !== 200) return [heading('No answer'), paragraph(`The order query answered ${status}.`)];
  const content = path.startsWith('/orders/') ? orderContent(view, setting) : eventContent(view);
  return [...content, raw(view)];
}

/** @param {string} path */
async function ask(path) {
  try {
    const response = await fetch(path, { headers: { accept: 'application/json' } });
    return { status: response.status, view: await response.json() };
  } catch {
    return undefined;
  }
}

/**
 * @param {OrderView} view
 * @param {Setting} setting
 * @returns {Node[]}
 */
function orderContent(view, { sentences }) {
  return [
    element('p', { class: 'kind' }, 'Order'),
    heading(view.order_id, badge(view.status), view.mode === 'sandbox' && badge('sandbox')),
    element('p', { class: 'muted' }, 'Last change at ', timeOfDay(view.updated_at)),
    ...(view.attention.length === 0 ? [] : [attention(view.attention, sentences)]),
    element('h3', {}, 'Transactions'),
    table(
      ['Transaction', 'Status', 'Amount', 'Created'],
      view.transactions.map(({ id, status, amount, currency, created_at }) => [
        foreignId(id ?? 'without an id'),
        badge(status),
        element('bdi', { class: 'amount' }, `${amount ?? '?'} ${currency ?? ''}`),
        timeOfDay(created_at ?? 'unknown'),
      ]),
    ),
    element('h3', {}, 'Events'),
    table(
      ['Event', 'Id', 'Received'],
      view.events.map(({ id, event_name, received_at }) => [
        element('bdi', {}, visible(event_name)),
        element('a', { href: `#${eventPath(id, view.mode)}`, 'aria-label': `Event ${id}` }, foreignId(id)),
        timeOfDay(received_at ?? 'unknown'),
      ]),
    ),
  ];
}

/** @type {(names: readonly string[], sentences: Readonly<Record<string, string>>) => Node} */
function attention(names, sentences) {
  const items = names.map((name) =>
    element('li', {}, element('strong', {}, `${name.replaceAll('_', ' ')}: `), sentences[name] ?? ''),
  );
  return element(
    'div',
    { class: 'attention' },
    element('h3', {}, 'A person should look at this'),
    element('ul', {}, ...items),
  );
}

/**
 * @param {EventView} view
 * @returns {Node[]}
 */
function eventContent(view) {
  const { order_id: orderId, mode } = view;
  const order =
    orderId !== null &&
    element(
      'a',
      { href: `#${orderPath(orderId, mode)}`, 'aria-label': `Order ${orderId}` },
      foreignId(orderId),
    );
  const facts = [
    ['Event name', view.event_name],
    ['Order', order],
    ['Transaction', view.transaction_id],
    ['Reason', view.reason?.replaceAll('_', ' ')],
    ['Received', view.received_at],
    ['Recorded', view.recorded_at],
    ['Body SHA-256', view.body_sha256],
    ['Signed by key', view.key_id],
  ];
  const shown = facts.filter(([, value]) => value);
  return [
    element('p', { class: 'kind' }, 'Event'),
    heading(view.id, badge(view.outcome), mode === 'sandbox' && badge('sandbox')),
    element(
      'dl',
      { class: 'facts' },
      ...shown.flatMap(([name, value]) => [
        element('dt', {}, name ?? ''),
        element('dd', {}, typeof value === 'string' ? element('bdi', {}, visible(value)) : value),
      ]),
    ),
  ];
}

/** @type {(text: string, ...badges: (Node | false)[]) => Node} */
function heading(text, ...badges) {
  return element('h2', { id: 'detail-title', tabindex: '-1' }, element('bdi', {}, visible(text)), ...badges);
}

/** @param {string} text */
function paragraph(text) {
  return element('p', {}, text);
}

/** @type {(names: readonly string[], rows: readonly (readonly Node[])[]) => Node} */
function table(names, rows) {
  const head = names.map((name) => element('th', { scope: 'col' }, name));
  const lines = rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell))));
  return element(
    'div',
    { class: 'scroll' },
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...lines)),
  );
}

/** @param {unknown} view */
function raw(view) {
  return element(
    'details',
    {},
    element('summary', {}, 'The whole answer'),
    element('pre', { tabindex: '0' }, readableJson(view)),
  );
}

/** @param {string} command */
function copyButton(command) {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(command).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Select it by hand';
  });
  return button;
}
