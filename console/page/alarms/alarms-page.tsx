import type { AlarmList, ListedAlarm } from '../../contract.ts';
import { useApi, useStack } from '../data/use-api.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { counted } from '../parts/texts.ts';
import { alarmGroups, alarmsSentence } from './alarm-groups.ts';
import { AlarmTitle } from './alarm-title.tsx';

/** Every alarm of the stack, those that are on first. */
export function AlarmsPage() {
  const { data: stack } = useStack();
  const query = useApi<AlarmList>('/console/api/alarms');
  const lead = query.data && alarmsSentence(query.data);
  return (
    <Page title="Alarms" lead={lead ?? (query.error === null ? 'Reading the alarms …' : 'Not known.')}>
      <Loaded query={query} lines={8}>
        {(list) => (
          <>
            {alarmGroups(list).map(({ title, note, alarms }) => (
              <Section key={title} title={title} note={note}>
                {title === 'Off' ? (
                  <details>
                    <summary>Show {counted(alarms.length, 'quiet alarm')}</summary>
                    <Alarms alarms={alarms} />
                  </details>
                ) : (
                  <Alarms alarms={alarms} />
                )}
              </Section>
            ))}
            {stack?.kind === 'local' && (
              <p class="muted">
                Local mode evaluates the alarms whose metrics it has, over periods that end now. A few others
                exist only on AWS.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Alarms = ({ alarms }: { readonly alarms: readonly ListedAlarm[] }) => (
  <ul class="items">
    {alarms.map(({ alarm, meaning, ...state }) => (
      <li key={alarm}>
        <AlarmTitle name={alarm} {...state} />
        <p class="muted">{meaning}</p>
      </li>
    ))}
  </ul>
);
