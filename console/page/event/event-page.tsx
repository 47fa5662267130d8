import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { eventText, inOneOrder, waitingSentences } from '../../contract/texts.ts';
import { ActButton } from '../acts/acts.tsx';
import { EraseCommand, EventButtons } from '../acts/buttons.tsx';
import { subjectOfRecord } from '../acts/choices.ts';
import { replay } from '../acts/operations.ts';
import { apiPath } from '../data/href.ts';
import type { PageOfId } from '../data/use-api.ts';
import { Facts } from '../parts/facts.tsx';
import { FoundPage } from '../parts/found-page.tsx';
import { Section } from '../parts/page.tsx';
import { WaitingBadge } from '../parts/pills.tsx';
import { titleOfEvent, visibleText } from '../parts/texts.ts';
import { Id } from '../parts/values.tsx';
import { CompareBodies } from './compare-bodies.tsx';
import { eventSentence } from './event-sentence.ts';
import { RecordCard } from './record-card.tsx';

export const EventPage = (page: PageOfId) => (
  <FoundPage<EventRecords>
    kind="event"
    path={apiPath.eventRecords(page.id)}
    titleOf={titleOfRecords}
    leadOf={eventSentence}
    {...page}
  >
    {(event) => <Records event={event} />}
  </FoundPage>
);

/** The body that counts, or else the first. */
const mainRecord = ({ records }: EventRecords): StoredEventRecord | undefined =>
  records.find(({ counts }) => counts) ?? records[0];

function titleOfRecords(event: EventRecords): string | undefined {
  const record = mainRecord(event);
  return record && titleOfEvent(record);
}

function Records({ event }: { readonly event: EventRecords }) {
  const { id, mode, records } = event;
  const record = mainRecord(event);
  const what = record === undefined ? id : visibleText(eventText(record));
  const withBytes = records.filter(({ has_body }) => has_body).length;
  return (
    <>
      {withBytes > 1 && (
        <Section title={`${withBytes} bodies under this id`}>
          <CompareBodies eventId={id} mode={mode} />
        </Section>
      )}
      <Section
        title="What you can do"
        actions={<ActButton act={replay({ event_id: id }, mode, what)}>Replay</ActButton>}
      >
        {records.map((record) => (
          <RecordActs key={`${record.record} ${record.body_sha256}`} event={event} record={record} />
        ))}
        {withBytes > 0 && <EraseCommand name="event" id={id} mode={mode} />}
      </Section>
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
    </>
  );
}

interface RecordActsProps {
  readonly event: EventRecords;
  readonly record: StoredEventRecord;
}

/** The judgements on one body, and when each is right; nothing for a body that was settled. */
function RecordActs({ event, record }: RecordActsProps) {
  const subject = subjectOfRecord(record, event);
  if (subject === undefined) return null;
  const { isSettled } = subject;
  const { admitIf, dismissIf } = waitingSentences[subject.kind];
  return (
    <div class="stack record-acts">
      <div class="row">
        <WaitingBadge kind={subject.kind} />
        {event.records.length > 1 && (
          <span class="row">
            <span class="faint">body</span> <Id value={record.body_sha256} />
          </span>
        )}
        {!subject.waits && <span class="faint">was dismissed; it can still be applied</span>}
      </div>
      <Facts
        facts={{
          Apply: !isSettled && `${admitIf}.`,
          Dismiss: subject.waits && `${isSettled ? inOneOrder : dismissIf}.`,
        }}
      />
      <EventButtons subject={subject} />
    </div>
  );
}
