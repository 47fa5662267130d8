import type { Runbook } from '../../contract/runbook.ts';
import type { AlarmList, ConsoleStatus } from '../../contract.ts';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { useApi } from '../data/use-api.ts';
import { sentenceOf } from '../overview/headline.ts';
import { Code } from '../parts/code.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { AlarmTitle } from './alarm-title.tsx';
import { RunbookText } from './runbook-text.tsx';

/** One alarm: what it means, since when, and what to do. */
export function AlarmPage({ name }: { readonly name: string }) {
  const mode = useMode();
  const list = useApi<AlarmList>('/console/api/alarms');
  const status = useApi<ConsoleStatus>('/console/api/status');
  const runbook = useApi<Runbook>(`/console/api/runbook/${encodeURIComponent(name)}`);
  const alarm = list.data?.alarms.find((one) => one.alarm === name);
  const firing = status.data?.firing?.find((one) => one.alarm === name);
  const meaning = firing === undefined ? (alarm?.meaning ?? '') : sentenceOf(firing);
  const command = firing?.command ?? runbook.data?.command ?? null;
  return (
    <Page
      title={name}
      lead={meaning === '' ? undefined : meaning}
      actions={
        runbook.data?.is_about_waiting === true && (
          <a class="button primary" href={href.waiting(mode)}>
            Show what waits
          </a>
        )
      }
    >
      <Loaded query={list} lines={1}>
        {() =>
          alarm === undefined ? (
            <p class="muted">This stack has no such alarm, or it is one that local mode does not evaluate.</p>
          ) : (
            <AlarmTitle {...alarm} />
          )
        }
      </Loaded>
      {command !== null && (
        <Section title="Next command">
          <Code text={command} label="the next command" />
        </Section>
      )}
      <Section title="Runbook" note="docs/runbook.md">
        <Loaded query={runbook} lines={6}>
          {({ tokens }) => (
            <div class="stack runbook">
              <RunbookText tokens={tokens} />
            </div>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
