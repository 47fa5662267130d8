import type { Mode, StoredEventRecord } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { Section } from '../parts/page.tsx';
import { OutcomeBadge, Pill } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Duration, Id, Moment } from '../parts/values.tsx';
import { reasonWords, wordFor } from '../parts/words.ts';
import { outcomeSentence } from './event-sentence.ts';
import { Payload } from './payload.tsx';

export interface RecordCardProps {
  readonly eventId: string;
  readonly mode: Mode;
  readonly record: StoredEventRecord;
  /** There is one body only. */
  readonly isAlone: boolean;
  readonly isFirst: boolean;
}

/** One signed body: what became of it, the evidence of its signature, and its payload. */
export function RecordCard({ eventId, mode, record, isAlone, isFirst }: RecordCardProps) {
  const { outcome, waiting, reason, body_sha256 } = record;
  const badges = (
    <span class="badges">
      <OutcomeBadge outcome={outcome} />
      {waiting !== null && <Pill tone="waiting" icon="waiting" text="Waits for a person" />}
    </span>
  );
  return (
    <Section title={isAlone ? 'The body' : titleOf(record)} note={badges}>
      <div class="record">
        <p>{outcomeSentence(record)}</p>
        <Facts>
          <Fact name="Event name">{record.event_name === null ? '—' : visibleText(record.event_name)}</Fact>
          <Fact name="Order">
            <Id
              value={record.order_id}
              href={record.order_id === null ? undefined : href.order(record.order_id, mode)}
            />
          </Fact>
          <Fact name="Transaction">
            <Id
              value={record.transaction_id}
              href={
                record.transaction_id === null ? undefined : href.transaction(record.transaction_id, mode)
              }
            />
          </Fact>
          {reason !== null && <Fact name="Reason">{wordFor(reasonWords, reason)}</Fact>}
          <Judged record={record} />
        </Facts>
        <h3 class="record-heading">Signature evidence</h3>
        <Evidence record={record} />
        <h3 class="record-heading">Payload</h3>
        {record.has_body ? (
          <Payload eventId={eventId} mode={mode} bodySha256={body_sha256} isAtOnce={isFirst} />
        ) : (
          <p class="muted">
            {record.erased === null ? 'The bytes are no longer stored.' : 'The bytes were erased.'}
          </p>
        )}
      </div>
    </Section>
  );
}

function titleOf({ counts, record }: StoredEventRecord): string {
  if (counts === true) return 'The body that counts';
  return record === 'event' ? 'The first body' : 'Another body';
}

function Judged({ record: { judged, erased } }: { readonly record: StoredEventRecord }) {
  return (
    <>
      {judged !== null && (
        <Fact name={judged.verdict === 'admitted' ? 'Admitted by' : 'Dismissed by'}>
          <Person {...judged} />
        </Fact>
      )}
      {erased !== null && (
        <Fact name="Erased by">
          <Person {...erased} />
        </Fact>
      )}
    </>
  );
}

const Person = ({
  by,
  at,
  reason,
}: {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}) => (
  <>
    <span title={visibleText(by)}>{visibleText(by.split('/').at(-1) ?? by)}</span> <Moment at={at} />: “
    {visibleText(reason)}”
  </>
);

function Evidence({ record }: { readonly record: StoredEventRecord }) {
  const { key_id, signature, body_sha256, received_at, recorded_at } = record;
  return (
    <Facts>
      <Fact name="Key id">
        <Id value={key_id} />
      </Fact>
      <Fact name="Signature">
        <Id value={signature} copy />
      </Fact>
      <Fact name="SHA-256">
        <Id value={body_sha256} copy />
      </Fact>
      <Fact name="Received">
        <Moment at={received_at} precise />
      </Fact>
      <Fact name="Recorded">
        <Moment at={recorded_at} precise />,{' '}
        <Duration milliseconds={Date.parse(recorded_at) - Date.parse(received_at)} /> later
      </Fact>
    </Facts>
  );
}
