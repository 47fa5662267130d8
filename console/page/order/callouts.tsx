import type { Attention, Order, OrderEvents, StateReason, WaitingEvent } from '@payhooks/order-client';
import { attentionSentences, waitingSentences } from '../../contract/texts.ts';
import { EventButtons, OrderButtons } from '../acts/buttons.tsx';
import { subjectInOrder } from '../acts/choices.ts';
import { href } from '../data/href.ts';
import { CompareBodies } from '../event/compare-bodies.tsx';
import { Callout } from '../parts/callout.tsx';
import { titleOfEvent, visibleText } from '../parts/texts.ts';
import { Id, Labelled, Moment } from '../parts/values.tsx';
import { attentionWords, reasonWords, waitingWords, wordFor } from '../parts/words.ts';
import { attentionAdvice } from './attention-advice.ts';

interface AttentionCalloutProps {
  readonly name: Attention;
  readonly order: Order;
  readonly details: OrderEvents;
}

/** What a person must look at: what is the case, which events show it, and what to do. */
export function AttentionCallout({ name, order, details }: AttentionCalloutProps) {
  const conflict = details.waiting.find(({ kind }) => kind === 'conflict');
  return (
    <Callout
      tone="attention"
      title={wordFor(attentionWords, name)}
      actions={
        <>
          {name === 'conflicting_event' && conflict !== undefined && (
            <EventButtons subject={subjectInOrder(conflict, details)} />
          )}
          <OrderButtons order={{ ...order, attention: [name] }} />
        </>
      }
    >
      <p>{wordFor(attentionSentences, name)}</p>
      {details.reasons
        .filter(({ rule }) => rule === name)
        .map((reason) => (
          <Named key={`${reason.transaction_id} ${reason.event_ids[0]}`} reason={reason} details={details} />
        ))}
      <p>
        <strong>Next:</strong> {wordFor(attentionAdvice, name)}
      </p>
    </Callout>
  );
}

const shownMax = 5;

/** The events that raised an attention, each with its money. */
function Named({ reason, details }: { readonly reason: StateReason; readonly details: OrderEvents }) {
  const { rule, event_ids, transaction_id } = reason;
  const { mode } = details;
  return (
    <ul class="stack tight">
      {rule === 'transaction_in_two_orders' && (
        <li>
          <Labelled kind="transaction" id={transaction_id} mode={mode} />
        </li>
      )}
      {event_ids.slice(0, shownMax).map((id) => {
        const event = details.events.find((one) => one.id === id);
        return (
          <li key={id} class="stack tight">
            <span class="row">
              {event !== undefined && <strong class="clip">{titleOfEvent(event)}</strong>}
              <Moment at={event?.received_at} precise />
              <Labelled kind="transaction" id={event?.transaction_id ?? null} mode={mode} />
              <Labelled kind="event" id={id} mode={mode} />
            </span>
            {rule === 'conflicting_event' && <CompareBodies eventId={id} mode={mode} />}
          </li>
        );
      })}
      {event_ids.length > shownMax && <li>and {event_ids.length - shownMax} more events</li>}
    </ul>
  );
}

interface WaitingCalloutProps {
  readonly waiting: WaitingEvent;
  readonly details: Pick<OrderEvents, 'order_id' | 'mode' | 'events'>;
}

/** What names the order and waits for a person. */
export function WaitingCallout({ waiting, details }: WaitingCalloutProps) {
  const { mode } = details;
  const { kind, reason, event_id, event_name, received_at } = waiting;
  const { dismissIf, admitIf } = waitingSentences[kind] ?? { dismissIf: '', admitIf: '' };
  return (
    <Callout
      tone="waiting"
      title={`${titleOfEvent(waiting)} waits for a person: ${wordFor(waitingWords, kind)}`}
      actions={<EventButtons subject={subjectInOrder(waiting, details)} />}
    >
      <p>
        {visibleText(event_name)} <Id value={event_id} href={href.event(event_id, mode)} />, received{' '}
        <Moment at={received_at} />.{' '}
        {reason === null ? `${admitIf}. ${dismissIf}.` : `${wordFor(reasonWords, reason)}.`}
      </p>
    </Callout>
  );
}
