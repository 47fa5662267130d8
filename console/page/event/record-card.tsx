import type { Mode, StoredEventRecord } from '@payhooks/order-client';
import { apiPath, href } from '../data/href.ts';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/page.tsx';
import { OutcomeBadge, Pill } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Duration, Id, Moment, Money } from '../parts/values.tsx';
import { reasonWords, wordFor } from '../parts/words.ts';
import { outcomeSentence } from './event-sentence.ts';
import { ReadOnRequest } from './payload.tsx';

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
  const { outcome, waiting, reason, body_sha256, order_id, transaction_id, judged, erased } = record;
  const { key_id, signature, received_at, recorded_at } = record;
  const badges = (
    <span class="badges">
      <OutcomeBadge outcome={outcome} />
      {waiting !== null && <Pill tone="waiting" icon="waiting" text="Waits for a person" />}
    </span>
  );
  return (
    <Section title={isAlone ? 'The body' : titleOf(record)} note={badges}>
      <p class="clip">{outcomeSentence(record)}</p>
      <Facts
        facts={{
          'Event name': record.event_name === null ? '—' : visibleText(record.event_name),
          Amount: <Money amount={record.amount} currency={record.currency} />,
          Order: <Id value={order_id} href={order_id === null ? undefined : href.order(order_id, mode)} />,
          Transaction: (
            <Id
              value={transaction_id}
              href={transaction_id === null ? undefined : href.transaction(transaction_id, mode)}
            />
          ),
          Reason: reason !== null && wordFor(reasonWords, reason),
          'Applied by': judged?.verdict === 'admitted' && <Person {...judged} />,
          'Dismissed by': judged?.verdict === 'dismissed' && <Person {...judged} />,
          'Erased by': erased !== null && <Person {...erased} />,
        }}
      />
      <h3 class="muted">Signature evidence</h3>
      <Facts
        facts={{
          'Key id': <Id value={key_id} />,
          Signature: <Id value={signature} copy />,
          'SHA-256': <Id value={body_sha256} copy />,
          Received: <Moment at={received_at} precise />,
          Recorded: (
            <>
              <Moment at={recorded_at} precise />,{' '}
              <Duration milliseconds={Date.parse(recorded_at) - Date.parse(received_at)} /> later
            </>
          ),
        }}
      />
      <h3 class="muted">Payload</h3>
      {record.has_body ? (
        <ReadOnRequest
          path={apiPath.eventBodies(eventId)}
          mode={mode}
          bodySha256={body_sha256}
          isAtOnce={isFirst}
          words="Show payload"
          label="the payload"
        />
      ) : (
        <p class="muted">{erased === null ? 'The bytes are no longer stored.' : 'The bytes were erased.'}</p>
      )}
    </Section>
  );
}

function titleOf({ counts, record }: StoredEventRecord): string {
  if (counts === true) return 'The body that counts';
  return record === 'event' ? 'The first body' : 'Another body';
}

interface PersonProps {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

const Person = ({ by, at, reason }: PersonProps) => (
  <>
    <span title={visibleText(by)}>{visibleText(by.split('/').at(-1) ?? by)}</span> <Moment at={at} />: “
    {visibleText(reason)}”
  </>
);
