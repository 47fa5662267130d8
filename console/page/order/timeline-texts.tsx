import type { Mode, OrderAct, OrderEventDetail, OtherBody } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { CompareBodies } from '../event/compare-bodies.tsx';
import type { IconName } from '../parts/icon.tsx';
import { OutcomeBadge, WaitingBadge } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Money } from '../parts/values.tsx';
import { attentionWords, reasonWords, wordFor } from '../parts/words.ts';
import type { Role } from './roles.ts';
import type { TimelineEntry } from './timeline.ts';

const icons: Readonly<Record<Role, readonly [IconName, string]>> = {
  payment: ['check', 'is-payment'],
  refund: ['return', 'is-refund'],
  failure: ['cross', 'is-failure'],
  dispute: ['alert', 'is-attention'],
  none: ['circle', ''],
};

/** The icon of an entry, and a class of timeline.css. */
export function iconOf(entry: TimelineEntry): readonly [IconName, string] {
  switch (entry.kind) {
    case 'event':
      return icons[entry.role];
    case 'body':
      return entry.body.waiting === null ? ['copy', ''] : ['alert', 'is-attention'];
    case 'waiting':
      return ['waiting', 'is-waiting'];
    case 'act':
      return ['person', 'is-act'];
  }
}

/** What happened, in words, with its ids. */
export function EntryText({ entry, mode }: { readonly entry: TimelineEntry; readonly mode: Mode }) {
  switch (entry.kind) {
    case 'event':
      return (
        <>
          <p class="timeline-title">
            <EventTitle event={entry.event} role={entry.role} />{' '}
            {entry.role !== 'none' && (
              <span class="timeline-aside">{visibleText(entry.event.event_name)}</span>
            )}{' '}
            {entry.waiting !== null && <WaitingBadge kind={entry.waiting} />}
          </p>
          <EventIds event={entry.event} mode={mode} />
          {entry.event.counts === false && (
            <p class="muted">No stored body says what counts; the times are those of the first body.</p>
          )}
        </>
      );
    case 'body':
      return <BodyText event={entry.event} body={entry.body} mode={mode} />;
    case 'waiting':
      return (
        <>
          <p class="timeline-title">
            {visibleText(entry.waiting.event_name)} waits for a person{' '}
            <WaitingBadge kind={entry.waiting.kind} />
          </p>
          <p class="timeline-ids">
            event <Id value={entry.waiting.event_id} href={href.event(entry.waiting.event_id, mode)} copy />
          </p>
          {entry.waiting.reason !== null && (
            <p class="muted">{wordFor(reasonWords, entry.waiting.reason)}.</p>
          )}
        </>
      );
    case 'act':
      return <ActText act={entry.act} mode={mode} />;
  }
}

function EventTitle({ event, role }: { readonly event: OrderEventDetail; readonly role: Role }) {
  const sum = event.amount !== null && (
    <>
      {' of '}
      <Money amount={event.amount} currency={event.currency} />
    </>
  );
  if (role === 'payment') return <>Payment{sum}</>;
  if (role === 'refund') return <>Refund{sum}</>;
  if (role === 'failure') return <>Failed payment{sum}</>;
  if (role === 'dispute') return <>Dispute{sum}</>;
  return (
    <>
      {visibleText(event.event_name)} <span class="timeline-aside">changed nothing about the money</span>
    </>
  );
}

function EventIds({ event, mode }: { readonly event: OrderEventDetail; readonly mode: Mode }) {
  const { id, transaction_id } = event;
  return (
    <p class="timeline-ids">
      <span class="timeline-id">
        <span class="faint">event</span>
        <Id value={id} href={href.event(id, mode)} copy />
      </span>
      {transaction_id !== null && (
        <span class="timeline-id">
          <span class="faint">transaction</span>
          <Id value={transaction_id} href={href.transaction(transaction_id, mode)} />
        </span>
      )}
    </p>
  );
}

function BodyText(props: {
  readonly event: OrderEventDetail;
  readonly body: OtherBody;
  readonly mode: Mode;
}) {
  const { event, body, mode } = props;
  return (
    <>
      <p class="timeline-title">
        Another body under the same event id
        {body.amount !== null && (
          <>
            , which says <Money amount={body.amount} currency={body.currency} />
          </>
        )}{' '}
        <OutcomeBadge outcome={body.outcome} />
      </p>
      <p class="timeline-ids">
        event <Id value={event.id} href={href.event(event.id, mode)} copy />
      </p>
      <p class="muted">{sentenceOf(body)}</p>
      <CompareBodies eventId={event.id} mode={mode} bodySha256={body.body_sha256} />
    </>
  );
}

function sentenceOf({ outcome, reason, waiting }: OtherBody): string {
  if (reason !== null) return `It was not applied: ${wordFor(reasonWords, reason)}.`;
  if (outcome === 'applied') return 'The order has it, and counts another body under its id.';
  const waits = waiting === null ? 'A person has judged it.' : 'It waits for a person.';
  return `It says something else than the body that counts. ${waits}`;
}

const actWords: Readonly<Record<string, string>> = {
  admit: 'admitted an event',
  dismiss: 'dismissed an event',
  resolve: 'resolved',
  replay: 'had stored bodies read again',
  erase: 'erased customer data',
};

function ActText({ act, mode }: { readonly act: OrderAct; readonly mode: Mode }) {
  const { by, reason, attention, event_id } = act;
  return (
    <>
      <p class="timeline-title">
        <span title={visibleText(by)}>{visibleText(by.split('/').at(-1) ?? by)}</span>{' '}
        {wordFor(actWords, act.act)}
        {attention !== null && ` “${wordFor(attentionWords, attention)}”`}
      </p>
      <p class="muted">“{visibleText(reason)}”</p>
      {event_id !== null && (
        <p class="timeline-ids">
          event <Id value={event_id} href={href.event(event_id, mode)} />
        </p>
      )}
    </>
  );
}
