import type { AlarmList, ListedAlarm } from '../../contract/alarms.ts';
import { counted } from '../parts/texts.ts';

interface AlarmGroup {
  readonly title: string;
  readonly note: string;
  readonly alarms: readonly ListedAlarm[];
}

const groups: readonly (readonly [ListedAlarm['state'], title: string, note: string])[] = [
  ['ALARM', 'On', 'the most urgent first'],
  ['deleted', 'Deleted by hand', 'payhooks repair does not restore them; deploy again with --revert-drift'],
  ['INSUFFICIENT_DATA', 'Without data', 'CloudWatch has not evaluated them yet'],
  ['OK', 'Off', ''],
];

const severities: readonly ListedAlarm['severity'][] = ['now', 'today', 'this week'];

/** Those that are on first; within a group the most urgent first, and of those the longest in its state. */
export function alarmGroups({ alarms }: AlarmList): readonly AlarmGroup[] {
  const all = groups.map(([state, title, note]) => ({
    ...{ title, note },
    alarms: alarms.filter((alarm) => alarm.state === state).toSorted(byUrgency),
  }));
  return all.filter((group) => group.alarms.length > 0);
}

const byUrgency = (a: ListedAlarm, b: ListedAlarm): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  `${a.since}`.localeCompare(`${b.since}`) ||
  a.alarm.localeCompare(b.alarm);

/** The answer of the page, in a sentence. */
export function alarmsSentence({ alarms }: AlarmList): string {
  const inState = (wanted: ListedAlarm['state']) => alarms.filter(({ state }) => state === wanted);
  const [on, silent, deleted] = [inState('ALARM'), inState('INSUFFICIENT_DATA'), inState('deleted')];
  const [first] = on.toSorted(byUrgency);
  const all = counted(alarms.length, 'alarm');
  return [
    first === undefined
      ? `None of ${all} is on.`
      : `${on.length} of ${all} ${verb(on, 'is', 'are')} on. Begin with ${first.alarm}.`,
    ...(deleted.length === 0
      ? []
      : [`${counted(deleted.length, 'alarm')} ${verb(deleted, 'was', 'were')} deleted by hand.`]),
    ...(silent.length === 0 ? [] : [`${counted(silent.length, 'alarm')} without data yet.`]),
  ].join(' ');
}

const verb = (alarms: readonly ListedAlarm[], one: string, many: string): string =>
  alarms.length === 1 ? one : many;
