import type {
  Attention,
  Mode,
  Order,
  OrderEventDetail,
  OrderEvents,
  StateReason,
} from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import { attentionSentences } from '../../../lambdas/contract/attention-sentences.ts';
import { OrderButtons } from '../acts/buttons.tsx';
import { href } from '../data/href.ts';
import { CompareBodies } from '../event/compare-bodies.tsx';
import { Callout } from '../parts/callout.tsx';
import { Id, Moment, Money } from '../parts/values.tsx';
import { attentionWords, wordFor } from '../parts/words.ts';
import { attentionAdvice } from './attention-advice.ts';

/** What a person must look at: what is the case, which events show it, and what to do. */
export function AttentionCallouts({
  order,
  details,
}: {
  readonly order: Order;
  readonly details: OrderEvents;
}) {
  const { attention, mode } = order;
  const events = new Map(details.events.map((event) => [event.id, event]));
  return (
    <>
      {attention.map((name) => (
        <Callout key={name} tone="attention" title={wordFor(attentionWords, name)}>
          <div class="attention-text">
            <div class="attention-part">
              <p>{wordFor(attentionSentences, name)}</p>
              {details.reasons
                .filter(({ rule }) => rule === name)
                .map((reason) => (
                  <Named
                    key={`${reason.transaction_id} ${reason.event_ids[0]}`}
                    name={name}
                    reason={reason}
                    events={events}
                    mode={mode}
                  />
                ))}
            </div>
            <div class="attention-part">
              <p>
                <strong>Next:</strong> {wordFor(attentionAdvice, name)}
              </p>
              <div class="act-buttons">
                {name === 'conflicting_event' && <JudgeLink waiting={details.waiting} mode={mode} />}
                <OrderButtons order={{ ...order, attention: [name] }} />
              </div>
            </div>
          </div>
        </Callout>
      ))}
    </>
  );
}

/** Where the body that contradicts another one is judged. */
function JudgeLink({ waiting, mode }: { readonly waiting: OrderEvents['waiting']; readonly mode: Mode }) {
  const conflict = waiting.find(({ kind }) => kind === 'conflict');
  if (conflict === undefined) return null;
  return (
    <a class="button" href={href.event(conflict.event_id, mode)}>
      Judge the body that waits
    </a>
  );
}

interface NamedProps {
  readonly name: Attention;
  readonly reason: StateReason;
  readonly events: ReadonlyMap<string, OrderEventDetail>;
  readonly mode: Mode;
}

const shownMax = 10;

/** The events that raised an attention, each with its money. */
function Named({ name, reason, events, mode }: NamedProps) {
  const { event_ids, transaction_id } = reason;
  const hasTransaction = name === 'transaction_in_two_orders' && transaction_id !== null;
  return (
    <ul class="lines lines-with-bodies">
      {hasTransaction && (
        <li>
          transaction <Id value={transaction_id} href={href.transaction(transaction_id, mode)} />
        </li>
      )}
      {event_ids.slice(0, shownMax).map((id) => (
        <li key={id}>
          <EventLine id={id} event={events.get(id)} mode={mode}>
            {name === 'conflicting_event' && 'counts'}
          </EventLine>
          {name === 'conflicting_event' && <OtherAmounts event={events.get(id)} />}
          {name === 'conflicting_event' && <CompareBodies eventId={id} mode={mode} />}
        </li>
      ))}
      {event_ids.length > shownMax && <li>and {event_ids.length - shownMax} more events</li>}
    </ul>
  );
}

function EventLine(props: {
  readonly id: string;
  readonly event: OrderEventDetail | undefined;
  readonly mode: Mode;
  /** Stands between the money and the ids. */
  readonly children?: ComponentChildren;
}) {
  const { id, event, mode, children } = props;
  const link = (
    <span class="labelled">
      event <Id value={id} href={href.event(id, mode)} />
    </span>
  );
  if (event === undefined) return <span class="event-line">{link}</span>;
  return (
    <span class="event-line">
      <Money amount={event.amount} currency={event.currency} /> {children}
      <Moment at={event.received_at} precise />{' '}
      {event.transaction_id !== null && (
        <span class="labelled">
          transaction <Id value={event.transaction_id} href={href.transaction(event.transaction_id, mode)} />
        </span>
      )}{' '}
      {link}
    </span>
  );
}

/** The money in the bodies that do not count. */
function OtherAmounts({ event }: { readonly event: OrderEventDetail | undefined }) {
  const conflicts = (event?.others ?? []).filter(({ amount }) => amount !== null);
  return (
    <>
      {conflicts.slice(0, shownMax).map((other) => (
        <span key={other.body_sha256} class="event-line">
          <Money amount={other.amount} currency={other.currency} />
          <span>says another body under this id, which does not count</span>
          <Moment at={other.received_at} precise />
        </span>
      ))}
    </>
  );
}
