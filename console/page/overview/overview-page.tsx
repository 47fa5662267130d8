import type { Mode } from '@payhooks/order-client';
import { ErrorBoundary } from 'preact-iso/lazy';
import type { Series } from '../../contract/series.ts';
import type { ConsoleStatus, FiringAlarm } from '../../contract.ts';
import { AlarmTitle } from '../alarms/alarm-title.tsx';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { later } from '../data/later.ts';
import { useApi, useStack } from '../data/use-api.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Code } from '../parts/code.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { counted, durationText } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';
import { headlineOf, isUntouched, sentenceOf } from './headline.ts';
import { LatestEvents } from './latest-events.tsx';
import { OrdersWithAttention, WhatWaits } from './what-waits.tsx';

const LastHour = later('LastHour');

/** What needs a person, worst first; then what the last hour was like. */
export function OverviewPage() {
  const mode = useMode();
  const status = useApi<ConsoleStatus>('/console/api/status');
  const series = useApi<Series>('/console/api/series');
  const unread = status.error === null ? 'Reading the status …' : 'The status could not be read.';
  return (
    <Page title="Overview" lead={status.data ? headlineOf(status.data) : unread}>
      <Loaded query={status}>{(data) => <NeedsAPerson status={data} mode={mode} />}</Loaded>
      <Section title="The last hour" note="minute by minute, without heartbeats">
        <Loaded query={series} lines={6}>
          {(data) => (
            <ErrorBoundary>
              <LastHour series={data} />
            </ErrorBoundary>
          )}
        </Loaded>
      </Section>
      <LatestEvents mode={mode} />
    </Page>
  );
}

/** The rest of the alarms is a link. */
const alarmsMax = 4;

function NeedsAPerson({ status, mode }: { readonly status: ConsoleStatus; readonly mode: Mode }) {
  const { firing, waiting, unknown } = status;
  const orders = waiting?.filter(({ kind }) => kind === 'attention') ?? [];
  return (
    <>
      {unknown.length > 0 && <UnknownParts unknown={unknown} />}
      {isUntouched(status) && <FirstSteps />}
      <div class="tiles thirds">
        {orders.length > 0 && <OrdersWithAttention counts={orders} mode={mode} />}
        {waiting !== null && (
          <WhatWaits counts={waiting.filter(({ kind }) => kind !== 'attention')} mode={mode} />
        )}
        <Section title="Queues and signs of life">
          <SignsOfLife status={status} />
        </Section>
      </div>
      {firing !== null && firing.length > 0 && <FiringAlarms firing={firing} mode={mode} />}
    </>
  );
}

interface FiringProps {
  readonly firing: readonly FiringAlarm[];
  readonly mode: Mode;
}

const FiringAlarms = ({ firing, mode }: FiringProps) => (
  <Section title="Alarms that are on" actions={<a href={href.alarms(mode)}>All alarms</a>}>
    <ul class="tiles wide">
      {firing.slice(0, alarmsMax).map((alarm) => (
        <li key={alarm.alarm} class="stack">
          <AlarmTitle name={alarm.alarm} state="ALARM" {...alarm} />
          <p>{sentenceOf(alarm)}</p>
          {alarm.command !== null && (
            <Code text={alarm.command} label={`the next command for ${alarm.alarm}`} />
          )}
        </li>
      ))}
    </ul>
    {firing.length > alarmsMax && (
      <a href={href.alarms(mode)}>{counted(firing.length - alarmsMax, 'more alarm')}</a>
    )}
  </Section>
);

/** What could not be read, so that its absence is not taken for calm. */
function UnknownParts({ unknown }: Pick<ConsoleStatus, 'unknown'>) {
  const isDenied = unknown.every((part) => part.not_allowed);
  return (
    <Callout
      tone="attention"
      title={isDenied ? 'Your credentials may not read everything' : 'Not everything could be read'}
    >
      {unknown.map(({ part, message }) => (
        <p key={part}>
          <strong>{part}</strong>: {message}
        </p>
      ))}
    </Callout>
  );
}

/** An empty stack: how to get the first event. */
function FirstSteps() {
  const { data: stack } = useStack();
  if (stack === undefined) return null;
  return (
    <Empty icon="send" title="No live event so far">
      {stack.laboratory ? (
        <a class="button primary" href={href.laboratory('live')}>
          Send the first event
        </a>
      ) : (
        <>
          <p>
            The payment service delivers to <code>{stack.webhook_url}</code> once the webhook is registered.
            This command proves the chain before that, from the URL to the order and its feed, with a
            heartbeat:
          </p>
          <Code text={`npx payhooks smoke ${stack.stack_option}`} label="the command that proves the chain" />
        </>
      )}
    </Empty>
  );
}

/** Depths of the queues and the signs of life. */
function SignsOfLife({ status }: { readonly status: ConsoleStatus }) {
  const { queues, unknown } = status;
  const oldest = queues?.oldest_event_seconds;
  const age = typeof oldest === 'number' ? `, the oldest ${durationText(oldest * 1_000)}` : '';
  const depth = (value: number | undefined): string =>
    value === undefined ? 'not known' : value.toLocaleString('en');
  const time = (part: string, at: string | null, none: string) => {
    if (unknown.some((one) => one.part === part)) return 'not known';
    return at === null ? none : <Moment at={at} />;
  };
  return (
    <Facts
      facts={{
        'Not recorded yet': `${depth(queues?.events)}${age}`,
        'Dead letters': depth(queues?.dead_letters),
        'Not published': depth(queues?.feed_failures),
        'Last live event': time('events', status.last_event_at, 'none so far'),
        'Last heartbeat': time('heartbeat', status.last_heartbeat_at, 'none for hours'),
      }}
    />
  );
}
