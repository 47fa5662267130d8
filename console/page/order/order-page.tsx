import type { Mode, Order, OrderEvents, OrderNotFoundProblem } from '@payhooks/order-client';
import type { FeedMessages } from '../../contract.ts';
import { ActButton } from '../acts/acts.tsx';
import { EraseCommand } from '../acts/buttons.tsx';
import { replay } from '../acts/repeat.ts';
import { apiPath, idOf } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { type ApiQuery, useApi } from '../data/use-api.ts';
import { Failure, Loaded, Skeleton } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { AttentionBadges, ModeTag, StatusPill } from '../parts/pills.tsx';
import { Id } from '../parts/values.tsx';
import { AttentionCallouts } from './attention-callouts.tsx';
import { MissingOrder } from './missing-order.tsx';
import { moneySentence } from './money-sentence.ts';
import { Reasons } from './reasons.tsx';
import { Timeline } from './timeline-list.tsx';
import { Transactions } from './transaction-cards.tsx';
import { WaitingCallouts } from './waiting-callouts.tsx';

export function OrderPage({ id: part }: { readonly id: string }) {
  const id = idOf(part);
  const mode = useMode();
  return <OrderOfMode key={`${mode} ${id}`} id={id} mode={mode} />;
}

function OrderOfMode({ id, mode }: { readonly id: string; readonly mode: Mode }) {
  const order = useApi<Order>(apiPath.order(id), { mode });
  const details = useApi<OrderEvents>(apiPath.orderEvents(id), { mode });
  const messages = useApi<FeedMessages>(apiPath.messages(id), { mode });
  const { error } = order;
  const isMissing = error?.status === 404;
  // Nothing of an order that was there before a restart is shown with the error that there is none.
  const data = isMissing ? undefined : order.data;
  // The details say what waits, and which refund has a payment.
  const lead = data && !details.isPending ? moneySentence(data, details.data) : undefined;
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
  return (
    <Page
      title={title}
      tabTitle={id}
      lead={lead}
      actions={<ActButton act={replay({ orderId: id, mode })}>Replay its events</ActButton>}
    >
      <Loaded query={order} lines={4}>
        {(loaded) => (
          <Loaded query={details}>
            {(more) => <Body order={loaded} details={more} messages={messages} />}
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

interface BodyProps {
  readonly order: Order;
  readonly details: OrderEvents;
  readonly messages: ApiQuery<FeedMessages>;
}

function Body({ order, details, messages }: BodyProps) {
  const { mode, attention } = order;
  // The callout of the attention shows both bodies, and leads to the one that waits.
  const isShown = attention.includes('conflicting_event');
  const waiting = details.waiting.filter(({ kind }) => !isShown || kind !== 'conflict');
  return (
    <>
      <AttentionCallouts order={order} details={details} />
      <WaitingCallouts waiting={waiting} mode={mode} />
      <div class="order-columns">
        <Section title="Timeline" note="what arrived, in order of arrival, and the state after each">
          <Timeline details={details} messages={messages.data?.messages ?? []} />
          {messages.isPending && <Skeleton lines={1} />}
          {messages.data?.failures_only && (
            <p class="timeline-note muted">
              Messages that the order feed published are not shown: it logs them only with the setting
              logLevel "info". Failures are.
            </p>
          )}
          {messages.error !== null && (
            <div class="timeline-note">
              <p class="muted">What the order feed published cannot be shown:</p>
              <Failure error={messages.error} />
            </div>
          )}
        </Section>
        <div class="order-side">
          <Transactions order={order} details={details} />
          <Reasons reasons={details.reasons} mode={mode} />
          <EraseCommand name="order" id={order.order_id} mode={mode} />
        </div>
      </div>
    </>
  );
}
