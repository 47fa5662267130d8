import type { AlarmList, ListedAlarm } from '../../contract.ts';
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

/** The answer of the page, in a sentence: such as `48 alarms: 2 on, 46 off. Begin with EventsDelayed.` */
export function alarmsSentence(list: AlarmList): string {
  const all = alarmGroups(list);
  const counts = all.map(({ title, alarms }) => `${alarms.length} ${title.toLowerCase()}`);
  const [worst] = all;
  const begin = worst?.title === 'On' ? ` Begin with ${worst.alarms[0]?.alarm}.` : '';
  return `${counted(list.alarms.length, 'alarm')}: ${counts.join(', ')}.${begin}`;
}
