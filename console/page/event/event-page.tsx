import type { EventRecords, Mode } from '@payhooks/order-client';
import { EventActs } from '../acts/event-acts.tsx';
import { apiPath, idOf } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { useApi } from '../data/use-api.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Missing } from '../parts/missing.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ModeTag } from '../parts/pills.tsx';
import { Id } from '../parts/values.tsx';
import { CompareBodies } from './compare-bodies.tsx';
import { eventSentence } from './event-sentence.ts';
import { RecordCard } from './record-card.tsx';

export function EventPage({ id: part }: { readonly id: string }) {
  const id = idOf(part);
  const mode = useMode();
  return <EventOfMode key={`${mode} ${id}`} id={id} mode={mode} />;
}

function EventOfMode({ id, mode }: { readonly id: string; readonly mode: Mode }) {
  const query = useApi<EventRecords>(apiPath.eventRecords(id), { mode });
  const title = (
    <>
      <Id value={id} copy /> <ModeTag mode={mode} />
    </>
  );
  const lead = query.data && eventSentence(query.data);
  return (
    <Page title={title} tabTitle={id} lead={lead}>
      {query.error?.status === 404 ? (
        <Missing kind="event" id={id} mode={mode}>
          {query.error.message}
        </Missing>
      ) : (
        <Loaded query={query} lines={8}>
          {(event) => <Records event={event} />}
        </Loaded>
      )}
    </Page>
  );
}

function Records({ event }: { readonly event: EventRecords }) {
  const { id, mode, records } = event;
  const waits = records.some(({ waiting }) => waiting !== null);
  const acts = (
    <Section title="What you can do">
      <EventActs event={event} />
    </Section>
  );
  const withBytes = records.filter(({ has_body }) => has_body).length;
  return (
    <>
      {withBytes > 1 && (
        <Section title={`${withBytes} bodies under this id`}>
          <CompareBodies eventId={id} mode={mode} />
        </Section>
      )}
      {waits && acts}
      {records.map((record, n) => (
        <RecordCard
          key={`${record.record} ${record.body_sha256}`}
          eventId={id}
          mode={mode}
          record={record}
          isAlone={records.length === 1}
          isFirst={n === 0}
        />
      ))}
      {!waits && acts}
    </>
  );
}
