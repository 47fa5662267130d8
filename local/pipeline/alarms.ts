import type { CreatedStack, AlarmView as StackAlarm } from '@payhooks/cdk-local';
import { occurrencesOf, spanOf } from '../../operator/sentences/alarm-occurrences.ts';

/** What put an alarm on, as `payhooks status` reads it of CloudWatch; `null` for one that is off. */
export function occurrencesIn({ model, alarmMinutes }: CreatedStack, alarm: StackAlarm, now: number) {
  const found = model.alarms.find(({ name }) => name === alarm.name);
  if (found === undefined || alarm.state === 'OK') return null;
  const statistics = Object.values(found.metrics).map(({ statistic }) => statistic);
  const rule = { ...found, statistics };
  const span = spanOf(rule, Date.parse(alarm.since), now);
  if (span === undefined) return null;
  return occurrencesOf(alarm.name, rule, { begin: span.begin, values: alarmMinutes(found, span) }, now);
}

/** One alarm in the response of `GET /alarms`. */
export interface AlarmView {
  readonly name: string;
  readonly state: 'OK' | 'ALARM';
  readonly meaning: string;
  /** When it entered this state; ISO 8601 in UTC. */
  readonly since: string;
}

/** The other lines of the description in the template are for readers of the alarm's email. */
export function alarmView({ name, state, description, since }: StackAlarm): AlarmView {
  const [meaning = ''] = description.split('\n', 1);
  return { name, state, meaning, since };
}

/** A change of an alarm as a line for the live log, in the form that functions log in. */
export function alarmLine(alarm: StackAlarm): string {
  const { name, state, meaning, since } = alarmView(alarm);
  const level = state === 'ALARM' ? 'WARN' : 'INFO';
  const fields = { alarm: name, alarm_state: state, detail: meaning };
  return JSON.stringify({ level, message: 'alarm changed', timestamp: since, ...fields });
}
