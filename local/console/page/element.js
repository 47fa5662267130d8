/**
 * Builds an element. Text becomes text and attributes are set by name, so no id, however hostile, becomes
 * markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | false | null | undefined)} children Empty ones are left out.
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
  return created;
}

/**
 * The element of the page with this id.
 * @param {string} id
 */
export function part(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}

/**
 * A state, in the colour of its meaning.
 * @param {string} state
 */
export function badge(state) {
  return element('span', { class: 'badge', 'data-state': state }, state.replaceAll('_', ' '));
}

/**
 * The time of day in the reader's zone.
 * @param {string} moment
 */
export function timeOfDay(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return element('span', {}, moment);
  const text = date.toLocaleTimeString(undefined, { hour12: false });
  return element('time', { datetime: moment, title: date.toISOString() }, text);
}

/**
 * A link to an order or an event. The id is isolated, so that right-to-left letters in it do not reorder the
 * text around it.
 * @param {string} path
 * @param {string} id
 * @param {'Order' | 'Event'} kind
 */
export function link(path, id, kind) {
  return element('a', { href: `#${path}`, 'aria-label': `${kind} ${id}` }, foreignId(id));
}

/** @param {string} id */
export function foreignId(id) {
  const isUuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);
  return element('bdi', { class: 'id', title: visible(id) }, isUuid ? `${id.slice(0, 8)}…` : visible(id));
}

/**
 * Foreign text with a mark for each invisible or direction-changing character, so that no two ids look the
 * same.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/**
 * JSON with invisible and direction-changing characters escaped: the same JSON for a program.
 * @param {unknown} value
 */
export function readableJson(value) {
  return JSON.stringify(value, null, 2).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
