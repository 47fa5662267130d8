import type { Mode } from '@payhooks/order-client';
import type { AlarmList, ListedAlarm } from '../../contract/alarms.ts';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { useStack } from '../data/stack.ts';
import { useApi } from '../data/use-api.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { alarmGroups, alarmsSentence, stateWord } from './alarm-groups.ts';
import './alarms.css';
import { OnFor } from './on-for.tsx';
import { SeverityPill } from './severity.tsx';

/** Every alarm of the stack, those that are on first. */
export function AlarmsPage() {
  const mode = useMode();
  const { data: stack } = useStack();
  const query = useApi<AlarmList>('/console/api/alarms');
  const lead = query.data && alarmsSentence(query.data);
  return (
    <Page title="Alarms" lead={lead ?? (query.error === null ? 'Reading the alarms …' : 'Not known.')}>
      <Loaded query={query} lines={8}>
        {(list) => (
          <>
            {alarmGroups(list).map(({ title, note, alarms }) => (
              <Section key={title} title={title} note={note} flush>
                <ul class="alarm-list">
                  {alarms.map((alarm) => (
                    <AlarmRow key={alarm.alarm} alarm={alarm} mode={mode} />
                  ))}
                </ul>
              </Section>
            ))}
            {stack?.kind === 'local' && (
              <p class="muted">
                Local mode evaluates the alarms whose metrics it has, over periods that end now. EventsAtRisk
                and a few others exist only on AWS.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AlarmRow({ alarm, mode }: { readonly alarm: ListedAlarm; readonly mode: Mode }) {
  const { alarm: name, severity, since, meaning, state } = alarm;
  return (
    <li class="alarm-row">
      <SeverityPill severity={severity} isOff={state === 'OK'} />
      <a class="alarm-name" href={href.alarm(name, mode)}>
        {name}
      </a>
      {since !== null && (
        <span class="muted alarm-since">
          <OnFor since={since} word={stateWord(state).toLowerCase()} />
        </span>
      )}
      <span class="alarm-meaning">{meaning}</span>
    </li>
  );
}
