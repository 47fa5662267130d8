import { badge, element, foreignId, link, part, readableJson, timeOfDay, visible } from './element.js';
import { curlCommand, eventPath, orderPath } from './paths.js';

/**
 * @typedef {import('../../../lambdas/order-query/order-view.ts').OrderView} OrderView
 * @typedef {import('../../../lambdas/order-query/event-view.ts').EventView} EventView
 * @typedef {import('../../../lambdas/order-query/order-waiting.ts').WaitingView} WaitingView
 * @typedef {Readonly<Record<string, string>>} Sentences What each entry of `attention` means.
 */

/** Counts the requests, so that a late response never replaces the one to a later request. */
let latest = 0;

/** @type {(path: string, sentences: Sentences) => Promise<void>} */
export async function showDetail(path, sentences) {
  latest += 1;
  const number = latest;
  const content = await load(path, sentences);
  if (number !== latest) return;
  const command = curlCommand(location.origin, path);
  const body = part('detail-body');
  const wasOpen = body.querySelector('details')?.open ?? false;
  body.replaceChildren(
    ...content,
    element('h3', {}, 'As a command'),
    element('div', { class: 'command' }, element('code', {}, command), copyButton(command)),
  );
  // An update leaves the JSON open for its reader.
  for (const details of body.querySelectorAll('details')) details.open = wasOpen;
  part('detail').hidden = false;
}

export function hideDetail() {
  latest += 1;
  part('detail').hidden = true;
}

/** @type {(path: string, sentences: Sentences) => Promise<Node[]>} */
async function load(path, sentences) {
  try {
    const response = await fetch(path, { headers: { accept: 'application/json' } });
    const view = await response.json();
    if (response.status === 404) return missingContent(view, path);
    if (!response.ok) throw new Error(`it returned ${response.status}`);
    const content = 'events' in view ? orderContent(view, sentences) : eventContent(view);
    const json = element('pre', { tabindex: '0' }, readableJson(view));
    return [...content, element('details', {}, element('summary', {}, 'The whole response'), json)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [heading('No response'), element('p', {}, `The order query cannot be read: ${reason}.`)];
  }
}

/**
 * An order may have events that wait, and none that counts.
 * @param {{ detail: string, waiting?: readonly WaitingView[] }} problem
 * @param {string} path
 * @returns {Node[]}
 */
function missingContent({ detail, waiting = [] }, path) {
  const mode = path.endsWith('?mode=sandbox') ? 'sandbox' : 'live';
  const items = waiting.map(({ event_id, event_name, kind, reason }) =>
    element(
      'li',
      {},
      element('bdi', {}, visible(event_name)),
      ' ',
      link(eventPath(event_id, mode), event_id, 'Event'),
      ` ${(reason ?? kind).replaceAll('_', ' ')}`,
    ),
  );
  const title = items.length === 0 ? 'Not found' : 'Waits for a person';
  return [heading(title), element('p', {}, String(detail)), element('ul', {}, ...items)];
}

/**
 * @param {OrderView} view
 * @param {Sentences} sentences
 * @returns {Node[]}
 */
function orderContent(view, sentences) {
  return [
    element('p', { class: 'muted' }, 'Order'),
    heading(view.order_id, badge(view.status), view.mode === 'sandbox' && badge('sandbox')),
    element('p', { class: 'muted' }, 'Last change at ', timeOfDay(view.updated_at)),
    ...(view.attention.length === 0 ? [] : [attention(view.attention, sentences)]),
    element('h3', {}, 'Transactions'),
    table(
      ['Transaction', 'Status', 'Amount', 'Created'],
      view.transactions.map(({ id, status, amount, currency, created_at }) => [
        foreignId(id ?? 'without an id'),
        badge(status),
        element('bdi', {}, `${amount ?? '?'} ${currency ?? ''}`),
        timeOfDay(created_at ?? 'unknown'),
      ]),
    ),
    element('h3', {}, 'Events'),
    table(
      ['Event', 'Id', 'Received'],
      view.events.map(({ id, event_name, received_at }) => [
        element('bdi', {}, visible(event_name)),
        link(eventPath(id, view.mode), id, 'Event'),
        timeOfDay(received_at ?? 'unknown'),
      ]),
    ),
  ];
}

/** @type {(names: readonly string[], sentences: Sentences) => Node} */
function attention(names, sentences) {
  const items = names.map((name) =>
    element('li', {}, element('strong', {}, `${name.replaceAll('_', ' ')}: `), sentences[name] ?? ''),
  );
  const title = element('h3', {}, 'Needs attention');
  return element('div', { class: 'attention' }, title, element('ul', {}, ...items));
}

/**
 * @param {EventView} view
 * @returns {Node[]}
 */
function eventContent(view) {
  const { order_id: orderId, mode } = view;
  /** @type {[string, Node | string | null | undefined][]} */
  const rows = [
    ['Event name', view.event_name],
    ['Order', orderId === null ? null : link(orderPath(orderId, mode), orderId, 'Order')],
    ['Transaction', view.transaction_id],
    ['Reason', view.reason?.replaceAll('_', ' ')],
    ['Received', view.received_at],
    ['Recorded', view.recorded_at],
    ['Body', view.body_base64 === null ? 'expired' : null],
    ['Body SHA-256', view.body_sha256],
    ['Signature', view.signature],
    ['Signed by key', view.key_id],
  ];
  const shown = rows.flatMap(([name, value]) =>
    value
      ? [
          element('dt', {}, name),
          element('dd', {}, typeof value === 'string' ? element('bdi', {}, visible(value)) : value),
        ]
      : [],
  );
  return [
    element('p', { class: 'muted' }, 'Event'),
    heading(view.id, badge(view.outcome), mode === 'sandbox' && badge('sandbox')),
    element('dl', { class: 'facts' }, ...shown),
  ];
}

/** @type {(text: string, ...badges: (Node | false)[]) => Node} */
function heading(text, ...badges) {
  return element('h2', { id: 'detail-title', tabindex: '-1' }, element('bdi', {}, visible(text)), ...badges);
}

/** @type {(names: readonly string[], rows: readonly (readonly Node[])[]) => Node} */
function table(names, rows) {
  const head = names.map((name) => element('th', { scope: 'col' }, name));
  const body = rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell))));
  const content = [element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)];
  return element('div', { class: 'scroll' }, element('table', {}, ...content));
}

/** @param {string} command */
function copyButton(command) {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Copying failed';
    }
  });
  return button;
}
