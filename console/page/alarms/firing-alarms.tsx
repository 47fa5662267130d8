import type { Mode } from '@payhooks/order-client';
import type { FiringAlarm } from '../../contract.ts';
import { href } from '../data/href.ts';
import { sentenceOf } from '../overview/headline.ts';
import { Code } from '../parts/code.tsx';
import { counted } from '../parts/texts.ts';
import './alarms.css';
import { OnFor } from './on-for.tsx';
import { SeverityPill } from './severity.tsx';

interface FiringAlarmsProps {
  readonly firing: readonly FiringAlarm[];
  readonly mode: Mode;
  /** How many are shown; the rest is a link. */
  readonly max: number;
}

/** The alarms that are on, the most urgent first: what each stands for, since when, what to type next. */
export function FiringAlarms({ firing, mode, max }: FiringAlarmsProps) {
  const rest = firing.length - max;
  return (
    <ul class="firing-alarms">
      {firing.slice(0, max).map((alarm) => (
        <li key={alarm.alarm} class="firing-alarm">
          <div class="firing-alarm-head">
            <SeverityPill severity={alarm.severity} />
            <a class="alarm-name" href={href.alarm(alarm.alarm, mode)}>
              {alarm.alarm}
            </a>
            <span class="muted">
              <OnFor since={alarm.since} />
            </span>
          </div>
          <p>{sentenceOf(alarm)}</p>
          {alarm.command !== null && (
            <Code text={alarm.command} label={`the next command for ${alarm.alarm}`} />
          )}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <a href={href.alarms(mode)}>{counted(rest, 'more alarm')}</a>
        </li>
      )}
    </ul>
  );
}
