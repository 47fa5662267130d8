import { element, part } from './element.js';

/** @typedef {import('../../pipeline/alarms.ts').AlarmView} Alarm */

/** Asks which alarms ring and shows them; without an answer what was shown stays. */
export async function loadAlarms() {
  try {
    const response = await fetch('/alarms');
    /** @type {readonly Alarm[]} */
    const alarms = await response.json();
    showAlarms(alarms.filter(({ state }) => state === 'ALARM'));
  } catch {
    // The next change of an alarm, or the next connection, asks again.
  }
}

/** @param {readonly Alarm[]} ringing */
function showAlarms(ringing) {
  const items = ringing.map(({ name, meaning }) => element('li', {}, element('b', {}, name), ` ${meaning}`));
  part('alarm-list').replaceChildren(...items);
  part('alarms').hidden = ringing.length === 0;
}
