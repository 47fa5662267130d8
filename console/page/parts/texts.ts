import { type EventMoney, eventTitle } from '../../contract/texts.ts';

export { capitalised } from '../../contract/texts.ts';

/** Characters that no screen shows, or that change the direction of what follows. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside with its invisible characters written out, so that two ids that differ also look
 * different. Joiners inside emoji stay.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(invisible, (character) => (character === '\u200d' ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** An id inside a sentence or a label, with its invisible characters written out, and cut. */
export function printableId(id: string, charactersMax = 40): string {
  const characters = Array.from(visibleText(id));
  if (characters.length <= charactersMax) return characters.join('');
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const minute = 60_000;
const hour = 60 * minute;

/** `12 sec. ago` up to a day, then the day and the time. Both are milliseconds since 1970. */
export function relativeTime(at: number, now: number): string {
  const age = now - at;
  if (Math.abs(age) < 3_000) return 'just now';
  if (Math.abs(age) < minute) return relative.format(-Math.round(age / 1_000), 'second');
  if (Math.abs(age) < hour) return relative.format(-Math.round(age / minute), 'minute');
  if (Math.abs(age) < 24 * hour) return relative.format(-Math.round(age / hour), 'hour');
  return clockTime(at, now);
}

/** `14:02:11` today, `20 Nov, 14:02:11` on another day, with the year in another year. */
export function clockTime(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return clock.format(then);
  const date = then.getFullYear() === today.getFullYear() ? day : dayAndYear;
  return `${date.format(then)}, ${clock.format(then)}`;
}

const exact = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'short' },
});

/** Everything about a moment, in the reader's time zone: for titles. */
export function exactTime(at: number): string {
  return exact.format(at);
}

/** `840 ms`, `1.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `4 d 2 h`. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 0.9995) return `${Math.round(milliseconds)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return inTwo([Math.floor(whole / 60), 'min'], [whole % 60, 's']);
  if (whole < 86_400)
    return inTwo([Math.floor(whole / 3_600), 'h'], [Math.floor((whole % 3_600) / 60), 'min']);
  return inTwo([Math.floor(whole / 86_400), 'd'], [Math.floor((whole % 86_400) / 3_600), 'h']);
}

type Part = readonly [number, string];

function inTwo([large, unit]: Part, [small, smallUnit]: Part): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

const integers = new Intl.NumberFormat('en');

/** `1 event`, `12,300 events`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${integers.format(count)} ${count === 1 ? one : many}`;
}

/** Such as `Payment of 75.00 USD`. */
export const titleOfEvent = (event: EventMoney): string => visibleText(eventTitle(event));

/** A line of a text and whether only the older (`-`) or the newer one (`+`) has it. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}
