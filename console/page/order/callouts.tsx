import type { Attention, Mode, Order, OrderEvents, StateReason, WaitingEvent } from '@payhooks/order-client';
import { attentionSentences, waitingSentences } from '../../contract/texts.ts';
import { OrderButtons } from '../acts/buttons.tsx';
import { href } from '../data/href.ts';
import { CompareBodies } from '../event/compare-bodies.tsx';
import { Callout } from '../parts/callout.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Labelled, Moment } from '../parts/values.tsx';
import { attentionWords, reasonWords, waitingWords, wordFor } from '../parts/words.ts';
import { attentionAdvice } from './attention-advice.ts';
import { sumText } from './money-sentence.ts';

interface AttentionCalloutProps {
  readonly name: Attention;
  readonly order: Order;
  readonly details: OrderEvents;
}

/** What a person must look at: what is the case, which events show it, and what to do. */
export function AttentionCallout({ name, order, details }: AttentionCalloutProps) {
  const { mode } = order;
  const conflict = details.waiting.find(({ kind }) => kind === 'conflict');
  return (
    <Callout
      tone="attention"
      title={wordFor(attentionWords, name)}
      actions={
        <>
          {name === 'conflicting_event' && conflict !== undefined && (
            <a class="button" href={href.event(conflict.event_id, mode)}>
              Judge the body that waits
            </a>
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
              {event !== undefined && event.amount !== null && <strong class="clip">{sumText(event)}</strong>}
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

/** What names the order and waits for a person. */
export function WaitingCallout({ waiting, mode }: { readonly waiting: WaitingEvent; readonly mode: Mode }) {
  const { kind, reason, event_id, event_name, received_at } = waiting;
  const { dismissIf, admitIf } = waitingSentences[kind] ?? { dismissIf: '', admitIf: '' };
  return (
    <Callout
      tone="waiting"
      title={`Waits for a person: ${wordFor(waitingWords, kind)}`}
      actions={
        <a class="button" href={href.event(event_id, mode)}>
          Look at it and judge it
        </a>
      }
    >
      <p>
        {visibleText(event_name)} <Id value={event_id} href={href.event(event_id, mode)} />, received{' '}
        <Moment at={received_at} />.{' '}
        {reason === null ? `${admitIf}. ${dismissIf}.` : `${wordFor(reasonWords, reason)}.`}
      </p>
    </Callout>
  );
}
