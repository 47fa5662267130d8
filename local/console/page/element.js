import { visible } from './foreign-text.js';

/**
 * Builds an element. Text goes in as text and attributes by name, so
 * that no id, however hostile, becomes markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | false | null | undefined)} children What is not there is left out.
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
  return created;
}

/**
 * The element of the page with this id; a page without it is broken.
 * @param {string} id
 */
export function part(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}

/**
 * A word for a state, coloured by what it means; the word alone says it too.
 * @param {string} state
 */
export function badge(state) {
  return element('span', { class: 'badge', 'data-state': state }, state.replaceAll('_', ' '));
}

/**
 * A time of day in the reader's zone, with the full moment for whoever hovers or parses.
 * @param {string} moment
 */
export function timeOfDay(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return element('span', {}, moment);
  const text = date.toLocaleTimeString(undefined, { hour12: false });
  return element('time', { datetime: moment, title: date.toISOString() }, text);
}

/**
 * An id of a stranger: isolated, so that right-to-left letters in it do not reorder what stands beside it.
 * @param {string} id
 */
export function foreignId(id) {
  const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);
  return element('bdi', { class: 'id', title: visible(id) }, uuid ? `${id.slice(0, 8)}…` : visible(id));
}
