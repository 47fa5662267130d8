import type { Mode } from '@payhooks/order-client';
import type { Series } from '../../contract/series.ts';
import type { ConsoleStatus } from '../../contract.ts';
import { FiringAlarms } from '../alarms/firing-alarms.tsx';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { type ApiQuery, useApi } from '../data/use-api.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Chart } from './chart.tsx';
import { chartsOf } from './charts.ts';
import { FirstSteps } from './first-steps.tsx';
import { headlineOf, isUntouched } from './headline.ts';
import { SignsOfLife } from './signs-of-life.tsx';
import './overview.css';
import { LatestEvents } from './latest-events.tsx';
import { UnknownParts } from './unknown-parts.tsx';
import { WaitingKinds } from './waiting-kinds.tsx';

/** What needs a person, worst first; then what the last hour was like. */
export function OverviewPage() {
  const mode = useMode();
  const status = useApi<ConsoleStatus>('/console/api/status');
  const series = useApi<Series>('/console/api/series');
  return (
    <Page title="Overview" lead={leadOf(status)}>
      <Loaded query={status}>{(data) => <NeedsAPerson status={data} mode={mode} />}</Loaded>
      <Section title="The last hour" note="minute by minute, without heartbeats">
        <Loaded query={series} lines={6}>
          {(data) => (
            <div class="charts">
              {chartsOf(data).map((model) => (
                <Chart key={model.title} series={data} model={model} />
              ))}
            </div>
          )}
        </Loaded>
      </Section>
      <LatestEvents mode={mode} />
    </Page>
  );
}

function leadOf({ data, error }: ApiQuery<ConsoleStatus>): string {
  if (data !== undefined) return headlineOf(data);
  return error === null ? 'Reading the status …' : 'The status could not be read.';
}

function NeedsAPerson({ status, mode }: { readonly status: ConsoleStatus; readonly mode: Mode }) {
  const { firing, waiting, unknown } = status;
  const isOn = firing !== null && firing.length > 0;
  return (
    <>
      {unknown.length > 0 && <UnknownParts unknown={unknown} />}
      {isUntouched(status) && <FirstSteps />}
      <div class={isOn ? 'overview-columns' : 'overview-columns is-quiet'}>
        {isOn && (
          <Section title="Alarms that are on" actions={<a href={href.alarms(mode)}>All alarms</a>}>
            <FiringAlarms firing={firing} mode={mode} max={4} />
          </Section>
        )}
        <div class="overview-side">
          {waiting !== null && (
            <Section title="Waits for a person" actions={<a href={href.waiting(mode)}>Waiting room</a>}>
              <WaitingKinds waiting={waiting} />
            </Section>
          )}
          <Section title="Queues and signs of life">
            <SignsOfLife status={status} />
          </Section>
        </div>
      </div>
    </>
  );
}
