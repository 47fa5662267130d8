import type { Mode, TransactionDetail, TransactionOrder } from '@payhooks/order-client';
import { apiPath, href, idOf } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { useApi } from '../data/use-api.ts';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Missing } from '../parts/missing.tsx';
import { Page, Section } from '../parts/page.tsx';
import { AttentionBadges, ModeTag, StatusPill } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import { transactionSentence } from './money-sentence.ts';

export function TransactionPage({ id: part }: { readonly id: string }) {
  const id = idOf(part);
  const mode = useMode();
  const query = useApi<TransactionDetail>(apiPath.transaction(id), { mode });
  const title = (
    <>
      <Id value={id} copy /> <ModeTag mode={mode} />
    </>
  );
  return (
    <Page title={title} tabTitle={id} lead={query.data && transactionSentence(query.data)}>
      {query.error?.status === 404 ? (
        <Missing kind="transaction" id={id} mode={mode}>
          {query.error.message}
        </Missing>
      ) : (
        <Loaded query={query} lines={6}>
          {(detail) => <Detail detail={detail} />}
        </Loaded>
      )}
    </Page>
  );
}

function Detail({ detail }: { readonly detail: TransactionDetail }) {
  const { mode, orders, events_without_order_id: events } = detail;
  return (
    <>
      {orders.map((order) => (
        <OrderOfTransaction key={order.order_id} order={order} mode={mode} />
      ))}
      {events.length > 0 && (
        <Section
          title="Events that name no order"
          note={orders.length > 0 ? 'They count in each order above.' : 'They wait for its order.'}
        >
          <ul class="lines">
            {events.map(({ event_id, event_name }) => (
              <li key={event_id}>
                {visibleText(event_name)} <Id value={event_id} href={href.event(event_id, mode)} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function OrderOfTransaction({ order, mode }: { readonly order: TransactionOrder; readonly mode: Mode }) {
  const { order_id, status, attention, transaction } = order;
  return (
    <Section title={<Id value={order_id} href={href.order(order_id, mode)} />} note="order">
      <Facts
        facts={{
          Transaction:
            transaction === null ? (
              'The order holds no event of it yet.'
            ) : (
              <>
                <Money {...transaction} /> <StatusPill status={transaction.status} />
              </>
            ),
          Created: transaction !== null && <Moment at={transaction.created_at} />,
          'Whole order': <StatusPill status={status} />,
          Attention: attention.length === 0 ? 'None' : <AttentionBadges attention={attention} />,
        }}
      />
    </Section>
  );
}
