import type { TransactionDetail } from '@payhooks/order-client';
import { apiPath } from '../data/href.ts';
import type { PageOfId } from '../data/use-api.ts';
import { Facts } from '../parts/facts.tsx';
import { FoundPage } from '../parts/found-page.tsx';
import { Section } from '../parts/page.tsx';
import { AttentionBadges, StatusPill } from '../parts/pills.tsx';
import { titleOfEvent } from '../parts/texts.ts';
import { Labelled, Moment, OrderMoney } from '../parts/values.tsx';
import { transactionSentence } from './money-sentence.ts';

export const TransactionPage = (page: PageOfId) => (
  <FoundPage<TransactionDetail>
    kind="transaction"
    path={apiPath.transaction(page.id)}
    leadOf={transactionSentence}
    {...page}
  >
    {(detail) => <Detail detail={detail} />}
  </FoundPage>
);

function Detail({ detail }: { readonly detail: TransactionDetail }) {
  const { mode, orders, events_without_order_id: events } = detail;
  return (
    <>
      {orders.map(({ order_id, status, attention, transaction }) => (
        <Section key={order_id} title={<Labelled kind="order" id={order_id} mode={mode} />}>
          <Facts
            facts={{
              Transaction: transaction === null && 'The order holds no event of it yet.',
              Amount: transaction && <OrderMoney transactions={[transaction]} />,
              Status: transaction && <StatusPill status={transaction.status} />,
              Created: transaction && <Moment at={transaction.created_at} />,
              'Whole order': <StatusPill status={status} />,
              Attention: attention.length > 0 && <AttentionBadges attention={attention} />,
            }}
          />
        </Section>
      ))}
      {events.length > 0 && (
        <Section
          title="Events that name no order"
          note={orders.length > 0 ? 'They count in each order above.' : 'They wait for its order.'}
        >
          {events.map(({ event_id, ...event }) => (
            <p key={event_id} class="row">
              {titleOfEvent(event)} <Labelled kind="event" id={event_id} mode={mode} />
            </p>
          ))}
        </Section>
      )}
    </>
  );
}
