import type { ListedAlarm } from '../../contract.ts';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import type { IconName } from '../parts/icons.ts';
import { Pill } from '../parts/pills.tsx';
import { durationText, exactTime } from '../parts/texts.ts';
import { useNow } from '../parts/values.tsx';

const looks: Readonly<
  Record<ListedAlarm['severity'], readonly [tone: string, icon: IconName, text: string]>
> = {
  now: ['bad', 'alert', 'Now'],
  today: ['attention', 'alert', 'Today'],
  'this week': ['neutral', 'clock', 'This week'],
};

const stateWords: Readonly<Record<ListedAlarm['state'], string>> = {
  ALARM: 'on',
  OK: 'off',
  INSUFFICIENT_DATA: 'without data',
  deleted: 'deleted by hand',
};

interface AlarmTitleProps extends Pick<ListedAlarm, 'severity' | 'since' | 'state'> {
  /** Leads to its page; not on that page. */
  readonly name?: string;
}

/** How soon a person must act, without colour while the alarm is off; and since when it is in its state. */
export function AlarmTitle({ name, severity, since, state }: AlarmTitleProps) {
  const now = useNow();
  const mode = useMode();
  const [tone, icon, text] = looks[severity];
  const at = Date.parse(since ?? '');
  const word = stateWords[state];
  return (
    <div class="row">
      <Pill
        tone={state === 'OK' ? 'neutral' : tone}
        icon={icon}
        text={text}
        title={`Severity: ${severity}`}
      />
      {name !== undefined && (
        <a class="strong" href={href.alarm(name, mode)}>
          {name}
        </a>
      )}
      <span class="muted">
        {Number.isNaN(at) ? (
          word
        ) : (
          <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
            {word} for {durationText(Math.max(1_000, now - at))}
          </time>
        )}
      </span>
    </div>
  );
}
