import type {
  Mode,
  Order,
  OrderEvents,
  OrderNotFoundProblem,
  OrderStatus,
  StateReason,
} from '@payhooks/order-client';
import { attentionSentences, reasonSentence } from '../../contract/texts.ts';
import type { FeedMessage } from '../../contract.ts';
import { ActButton } from '../acts/acts.tsx';
import { EraseCommand } from '../acts/buttons.tsx';
import { replay } from '../acts/operations.ts';
import { apiPath, href } from '../data/href.ts';
import { type PageOfId, useApi, useStack } from '../data/use-api.ts';
import { FirstOf } from '../parts/first-of.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Missing } from '../parts/missing.tsx';
import { Page, Section } from '../parts/page.tsx';
import { AttentionBadges, ModeTag, StatusPill } from '../parts/pills.tsx';
import { counted, printableId, visibleText } from '../parts/texts.ts';
import { Id, Labelled, OrderMoney } from '../parts/values.tsx';
import { statusWords, wordFor } from '../parts/words.ts';
import { AttentionCallout, WaitingCallout } from './callouts.tsx';
import { moneySentence } from './money-sentence.ts';
import { Timeline } from './timeline-list.tsx';

export function OrderPage({ id, mode }: PageOfId) {
  const order = useApi<Order>(apiPath.order(id), { mode });
  const details = useApi<OrderEvents>(apiPath.orderEvents(id), { mode });
  const isLocal = useStack().data?.kind === 'local';
  const messages = useApi<readonly FeedMessage[]>(
    '/feed/messages',
    { order_id: id, mode },
    { enabled: isLocal },
  );
  const { error } = order;
  const isMissing = error?.status === 404;
  // Nothing of an order that was there before a restart is shown with the error that there is none.
  const data = isMissing ? undefined : order.data;
  const title = (
    <>
      <Id value={id} copy /> <ModeTag mode={mode} /> {data && <StatusPill status={data.status} />}{' '}
      {data && <AttentionBadges attention={data.attention} />}
    </>
  );
  if (isMissing) {
    const problem = error.problem as unknown as Partial<OrderNotFoundProblem>;
    return (
      <Page title={title} tabTitle={id} lead={missingSentence(problem, mode)}>
        <MissingOrder id={id} mode={mode} problem={problem} detail={error.message} />
      </Page>
    );
  }
  // The details say what waits, and which refund has a payment.
  const lead = data && !details.isPending ? moneySentence(data, details.data) : undefined;
  const button = (
    <ActButton act={replay({ order_id: id }, mode, `the events of ${printableId(id)}`)}>
      Replay the events
    </ActButton>
  );
  return (
    <Page title={title} tabTitle={id} lead={lead} actions={button}>
      <Loaded query={order} lines={4}>
        {(loaded) => (
          <Loaded query={details}>
            {(more) => <Body order={loaded} details={more} messages={messages.data} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function missingSentence({ waiting = [] }: Partial<OrderNotFoundProblem>, mode: Mode): string {
  if (waiting.length === 0) return `No ${mode} event counts in an order with this id.`;
  const events = waiting.length === 1 ? 'One event names' : `${waiting.length} events name`;
  const wait = waiting.length === 1 ? 'waits' : 'wait';
  return `${events} this order and ${wait} for a person: no money counts yet.`;
}

interface MissingOrderProps extends PageOfId {
  readonly problem: Partial<OrderNotFoundProblem>;
  readonly detail: string;
}

/** An order without a state: nothing is known of it, or only events that wait, or were dismissed. */
function MissingOrder({ id, mode, problem: { waiting = [], acts = [] }, detail }: MissingOrderProps) {
  const details = { order_id: id, mode, events: [], waiting, acts };
  return (
    <>
      {waiting.map((one) => (
        <WaitingCallout key={`${one.event_id} ${one.body_sha256}`} waiting={one} details={details} />
      ))}
      {waiting.length === 0 && (
        <Missing kind="order" id={id} mode={mode}>
          {detail}
        </Missing>
      )}
      {waiting.length + acts.length > 0 && (
        <Section title="Timeline" note="nothing counts yet">
          <Timeline details={details} messages={[]} />
        </Section>
      )}
    </>
  );
}

interface BodyProps {
  readonly order: Order;
  readonly details: OrderEvents;
  readonly messages: readonly FeedMessage[] | undefined;
}

function Body({ order, details, messages }: BodyProps) {
  const { mode, attention, transactions } = order;
  // The callout of the attention shows both bodies, and leads to the one that waits.
  const isShown = attention.includes('conflicting_event');
  return (
    <>
      {attention.map((name) => (
        <AttentionCallout key={name} name={name} order={order} details={details} />
      ))}
      {details.waiting
        .filter(({ kind }) => !isShown || kind !== 'conflict')
        .map((one) => (
          <WaitingCallout key={`${one.event_id} ${one.body_sha256}`} waiting={one} details={details} />
        ))}
      <div class="columns">
        <Section title="Timeline" note="what arrived, in order of arrival, and the state after each">
          <Timeline details={details} messages={messages ?? []} />
        </Section>
        <div class="stack wider">
          <Section title={counted(transactions.length, 'transaction')}>
            <FirstOf items={transactions} noun="transaction">
              {({ id, ...transaction }, n) => (
                <li key={id ?? n} class="row spread">
                  <OrderMoney transactions={[transaction]} />
                  <StatusPill status={transaction.status} />
                  {id === null ? (
                    <span class="faint">without an id</span>
                  ) : (
                    <Labelled kind="transaction" id={id} mode={mode} copy />
                  )}
                </li>
              )}
            </FirstOf>
          </Section>
          <Reasons status={order.status} reasons={details.reasons} mode={mode} />
          <EraseCommand name="order" id={order.order_id} mode={mode} />
        </div>
      </div>
    </>
  );
}

const shownMax = 5;

interface ReasonsProps {
  readonly status: OrderStatus;
  readonly reasons: readonly StateReason[];
  readonly mode: Mode;
}

/** Why the status is what it is; the attentions have callouts of their own. */
function Reasons({ status, reasons, mode }: ReasonsProps) {
  const ofStatus = reasons.filter(({ rule }) => !Object.hasOwn(attentionSentences, rule));
  return (
    <Section
      title={`Why it is ${wordFor(statusWords, status)}`}
      note="does not depend on the order of arrival"
    >
      <FirstOf items={ofStatus} noun="reason">
        {(reason) => (
          <li key={`${reason.rule} ${reason.transaction_id} ${reason.event_ids[0]}`} class="row">
            {visibleText(reasonSentence(reason))}
            {reason.event_ids.slice(0, shownMax).map((id) => (
              <Id key={id} value={id} href={href.event(id, mode)} />
            ))}
            {reason.event_ids.length > shownMax && (
              <span class="faint">and {reason.event_ids.length - shownMax} more</span>
            )}
          </li>
        )}
      </FirstOf>
    </Section>
  );
}
