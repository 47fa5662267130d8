import { nothingIsLeft, occurrencesSentence } from '../../contract/texts.ts';
import type { ConsoleStatus, FiringAlarm } from '../../contract.ts';
import { capitalised, counted, exactTime } from '../parts/texts.ts';

/** The answer of the overview, in a sentence: the worst first. */
export function headlineOf(status: ConsoleStatus): string {
  const { firing, alarms, unknown } = status;
  if (firing === null || alarms === null) return `The alarms could not be read. ${calmText(status)}`;
  const [worst] = firing;
  if (worst !== undefined) {
    const on = counted(firing.length, 'alarm is on', 'alarms are on');
    return `${attentionLead(status)}${on}. A person is needed ${worst.severity}: ${sentenceOf(worst)}`;
  }
  const deleted = alarms.deleted.length;
  if (deleted > 0)
    return `${counted(deleted, 'alarm was', 'alarms were')} deleted by hand, so a fault may go unnoticed.`;
  if (status.heartbeat_late)
    return `No alarm is on, but heartbeats do not return: webhooks may not arrive. ${calmText(status)}`;
  const silent = alarms.without_data.length;
  return [
    `None of ${counted(alarms.count, 'alarm')} is on.`,
    ...(silent === 0 ? [] : [`${counted(silent, 'of them has', 'of them have')} no data yet.`]),
    ...(unknown.length === 0 ? [] : ['Not everything could be read.']),
    calmText(status),
  ].join(' ');
}

/** Orders first: their money is in doubt. */
function attentionLead({ waiting }: ConsoleStatus): string {
  const orders = (waiting ?? []).filter(({ kind }) => kind === 'attention');
  const count = orders.reduce((sum, one) => sum + one.count, 0);
  return count === 0 ? '' : `${counted(count, 'order needs attention', 'orders need attention')}. `;
}

/** What an alarm means, and how much it stands for now. */
export function sentenceOf({ meaning, count, counted: what, occurrences }: FiringAlarm): string {
  if (count === null)
    return occurrences === null
      ? meaning
      : `${meaning} ${occurrencesSentence(occurrences, Date.now(), timeText)}`;
  if (count === 0) return `${meaning} ${nothingIsLeft}`;
  return `${meaning} Now: ${count.toLocaleString('en')} ${what}.`;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** In the time zone of the reader. */
const timeText = (at: string, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? timeFormat.format(Date.parse(at))
    : exactTime(Date.parse(at));

/** What is known of everything but alarms. */
function calmText({ waiting, queues }: ConsoleStatus): string {
  const items = (waiting ?? []).reduce((sum, { count }) => sum + count, 0);
  const { events = 0, dead_letters = 0, feed_failures = 0 } = queues ?? {};
  const parts = [
    ...(waiting === null ? [] : [items === 0 ? 'nothing waits' : counted(items, 'item waits', 'items wait')]),
    ...(events === 0 ? [] : [`${counted(events, 'event')} not recorded yet`]),
    ...(dead_letters === 0 ? [] : [counted(dead_letters, 'dead letter')]),
    ...(feed_failures === 0 ? [] : [`${counted(feed_failures, 'change')} not published`]),
    ...(queues === null || events + dead_letters + feed_failures > 0 ? [] : ['the queues are empty']),
  ];
  const text = parts.join('; ');
  return text === '' ? 'Nothing else is known.' : `${capitalised(text)}.`;
}

/** Whether the stack has received nothing yet, as far as it can be known. */
export const isUntouched = (status: ConsoleStatus): boolean =>
  status.last_event_at === null &&
  status.waiting?.length === 0 &&
  status.queues?.events === 0 &&
  status.queues.dead_letters === 0;
