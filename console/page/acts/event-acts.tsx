import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { isInOrderOfEvent } from '../../../cli/events/in-order-of-event.ts';
import { inOneOrder, waitingSentences } from '../../../lambdas/contract/waiting-sentences.ts';
import { Facts } from '../parts/facts.tsx';
import { WaitingBadge } from '../parts/pills.tsx';
import { Id } from '../parts/values.tsx';
import { ActButton } from './acts.tsx';
import { EraseCommand, EventButtons } from './buttons.tsx';
import { subjectOfRecord } from './choices.ts';
import { replay } from './repeat.ts';

/** What an operator can do about an event: judge each body that waits, and have it read again. */
export function EventActs({ event }: { readonly event: EventRecords }) {
  const { id, mode, records } = event;
  return (
    <div class="stack wide">
      {records.map((record) => (
        <RecordActs key={`${record.record} ${record.body_sha256}`} event={event} record={record} />
      ))}
      <div class="row">
        <ActButton act={replay({ eventId: id, mode })}>Replay</ActButton>
      </div>
      {records.some(({ has_body }) => has_body) && <EraseCommand name="event" id={id} mode={mode} />}
    </div>
  );
}

interface RecordActsProps {
  readonly event: EventRecords;
  readonly record: StoredEventRecord;
}

/** The judgements on one body, and when each is right; nothing for a body that was settled. */
function RecordActs({ event: { id, mode, records }, record }: RecordActsProps) {
  const subject = subjectOfRecord(record, { id, mode });
  if (subject === undefined) return null;
  const isSettled = isInOrderOfEvent(record, records);
  const { admitIf, dismissIf } = waitingSentences[subject.kind];
  return (
    <div class="stack record-acts">
      <div class="row">
        <WaitingBadge kind={subject.kind} />
        {records.length > 1 && (
          <span class="row">
            <span class="faint">body</span> <Id value={record.body_sha256} />
          </span>
        )}
        {!subject.waits && <span class="faint">was dismissed; it can still be admitted</span>}
      </div>
      <Facts
        facts={{
          Admit: !isSettled && `${admitIf}.`,
          Dismiss: subject.waits && `${isSettled ? inOneOrder : dismissIf}.`,
        }}
      />
      <EventButtons subject={subject} canAdmit={!isSettled} />
    </div>
  );
}
