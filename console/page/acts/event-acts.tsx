import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { isInOrderOfEvent } from '../../../cli/events/in-order-of-event.ts';
import { inOneOrder, waitingSentences } from '../../../lambdas/contract/waiting-sentences.ts';
import { WaitingBadge } from '../parts/pills.tsx';
import { Id } from '../parts/values.tsx';
import { useOpenAct } from './acts.tsx';
import { subjectOfRecord } from './choices.ts';
import { EraseCommand } from './erase-command.tsx';
import { EventButtons } from './event-buttons.tsx';

/** What an operator can do about an event: judge each body that waits, and have it read again. */
export function EventActs({ event }: { readonly event: EventRecords }) {
  const open = useOpenAct();
  const { id, mode, records } = event;
  return (
    <div class="acts">
      {records.map((record) => (
        <RecordActs key={`${record.record} ${record.body_sha256}`} event={event} record={record} />
      ))}
      <div class="act-buttons">
        <button
          type="button"
          class="button"
          onClick={() => open({ act: 'replay', subject: { eventId: id, mode } })}
        >
          Replay
        </button>
      </div>
      {records.some(({ has_body }) => has_body) && <EraseCommand subject={{ eventId: id }} mode={mode} />}
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
    <div class="record-acts">
      <div class="record-acts-title">
        <WaitingBadge kind={subject.kind} />
        {records.length > 1 && (
          <span class="labelled">
            <span class="faint">body</span> <Id value={record.body_sha256} />
          </span>
        )}
        {!subject.waits && <span class="faint">was dismissed; it can still be admitted</span>}
      </div>
      <dl class="choices">
        {!isSettled && (
          <>
            <dt>Admit</dt>
            <dd>{admitIf}.</dd>
          </>
        )}
        {subject.waits && (
          <>
            <dt>Dismiss</dt>
            <dd>{isSettled ? inOneOrder : dismissIf}.</dd>
          </>
        )}
      </dl>
      <EventButtons subject={subject} canAdmit={!isSettled} />
    </div>
  );
}
