import type { ListedAlarm } from '../../contract/alarms.ts';
import type { IconName } from '../parts/icons.ts';
import { Pill } from '../parts/pills.tsx';

const looks: Readonly<
  Record<ListedAlarm['severity'], readonly [tone: string, icon: IconName, text: string]>
> = {
  now: ['bad', 'alert', 'Now'],
  today: ['attention', 'alert', 'Today'],
  'this week': ['neutral', 'clock', 'This week'],
};

/** How soon a person must act; without colour while the alarm is off. */
export function SeverityPill(props: {
  readonly severity: ListedAlarm['severity'];
  readonly isOff?: boolean;
}) {
  const { severity, isOff = false } = props;
  const [tone, icon, text] = looks[severity];
  return <Pill tone={isOff ? 'neutral' : tone} icon={icon} text={text} title={`Severity: ${severity}`} />;
}
