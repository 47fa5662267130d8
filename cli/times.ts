import { readInstant } from '../lambdas/contract/instant.ts';
import { ageOf } from '../operator/age.ts';
import { CommandError } from '../operator/operator-error.ts';
import { expecting } from './options.ts';
import type { CommonOptions, Session } from './session.ts';

/** Of a command about a span of time, in milliseconds since the epoch. */
export interface SpanOptions extends CommonOptions {
  readonly since?: number;
  readonly until?: number;
}

const millisecondsOf = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const ago = /^(\d{1,5})([smhd])$/;
const local = /^(today|yesterday|\d{4}-\d\d-\d\d)?(?:(?:^|[ T])([01]?\d|2[0-3]):([0-5]\d))?$/;

/** A time of the past in words, in milliseconds since the epoch. Without a zone it is the terminal's. */
export function readTime(text: string, now: number): number | undefined {
  const [, amount, unit] = ago.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * millisecondsOf[unit as keyof typeof millisecondsOf];
  const [given, day = 'today', hours = '0', minutes = '0'] = local.exec(text) ?? [];
  if (!given) return readInstant(text) === undefined ? undefined : Date.parse(text);
  const today = new Date(now);
  const [year = 0, month = 1, date = 1] = /\d/.test(day)
    ? day.split('-').map(Number)
    : [today.getFullYear(), today.getMonth() + 1, today.getDate() - (day === 'yesterday' ? 1 : 0)];
  const time = new Date(year, month - 1, date, Number(hours), Number(minutes));
  const isRealDay = !/\d/.test(day) || (time.getMonth() === month - 1 && time.getDate() === date);
  return isRealDay ? time.getTime() : undefined;
}

const expected =
  '2h, 30m, today, yesterday, 14:00, "yesterday 14:00", "2026-11-20 14:00" (your time zone), or ISO 8601 ' +
  'with a zone, such as 2026-11-20T14:00:00Z';

/** Milliseconds since the epoch. */
export const pastTime = expecting(expected, (given) => readTime(given, Date.now()));

/** In the form that payhooks stores. */
export const pastInstant = (given: string): string => new Date(pastTime(given)).toISOString();

/** Such as `2026-11-20 14:00`, in the zone of the terminal; with seconds where there are some. */
export const localText = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleString('sv').replace(/:00$/, '');

/** For a span that ends before `until`; throws when nothing lies in it. */
export function refuseEmptySpan<Time extends number | string>(since?: Time, until?: Time): void {
  if (since !== undefined && until !== undefined && since >= until)
    throw new CommandError('wrongUsage', '--since is not before --until; expected a time before it.');
}

/** A time in a list: such as `3 min ago` for a person, as it is for a program. */
export const listedTime = ({ terminal, now }: Pick<Session, 'terminal' | 'now'>, time: string): string =>
  terminal.isScreen ? `${ageOf(time, now())} ago` : time;

/** A command line whose times in words stand still, so that it means the same when it is run again. */
export const withFixedTimes = (words: readonly string[], now: number): readonly string[] =>
  words.map((word, place) => {
    const [, option = '', text = ''] = /^(--(?:since|until)=)?(.*)$/s.exec(word) ?? [];
    if (option === '' && !/^--(since|until)$/.test(words[place - 1] ?? '')) return word;
    const time = readTime(text, now);
    return time === undefined ? word : `${option}${new Date(time).toISOString()}`;
  });

/** What a time in words stands for, unless it was typed like that. */
export function timeNotes(words: readonly string[], options: Readonly<Record<string, unknown>>) {
  const typed = words.map((word) => readInstant(word.replace(/^--\w+=/, '')));
  return ['since', 'until', 'at'].flatMap((name) => {
    const value = options[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const time = new Date(value);
    const isTyped = Number.isNaN(time.getTime()) || typed.includes(time.toISOString());
    return isTyped ? [] : [`--${name}: ${localText(time.getTime())} here, ${time.toISOString()} UTC`];
  });
}
