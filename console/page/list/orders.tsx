import type { Order } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { AttentionBadges, StatusPill } from '../parts/pills.tsx';
import { Id, Moment, OrderMoney } from '../parts/values.tsx';
import type { ListKind } from './list-kind.ts';
import { ListPage } from './list-page.tsx';
import type { Column } from './table.tsx';

/** One row per order, by its latest change. */
const orderList: ListKind<Order> = {
  title: 'Orders',
  noun: 'order',
  filters: ['status', 'attention', 'since', 'until'],
  ...{ path: '/orders', field: 'orders' },
  query: ({ status, attention, since, until }) => ({
    ...{ status, attention, updated_since: since, updated_until: until, sort_order: 'desc' },
  }),
  idOf: ({ order_id }) => order_id,
  timeOf: ({ updated_at }) => updated_at,
  columns: () => columns,
  // An order that has changed is a new row.
  keyOf: ({ order_id, sequence, attention }) => JSON.stringify([order_id, sequence, attention]),
  hrefOf: ({ order_id }, mode) => href.order(order_id, mode),
  needsPerson: ({ attention }) => attention.length > 0,
  need: ['needs attention', 'need attention'],
  timeNote: 'The time selects orders by their latest change.',
  nothing: { title: 'No order is known yet.', text: 'The first event that names an order creates it.' },
};

export const OrdersPage = () => <ListPage kind={orderList} />;

const columns: readonly Column<Order>[] = [
  {
    header: 'Order',
    width: 'minmax(140px, 1.2fr)',
    card: 'title',
    isLink: true,
    cell: ({ order_id }) => <Id value={order_id} />,
  },
  {
    header: 'Status',
    width: 'minmax(158px, 1fr)',
    cell: ({ status }) => <StatusPill status={status} />,
  },
  {
    header: 'Amount',
    width: 'minmax(min-content, 1.25fr)',
    align: 'end',
    card: 'side',
    cell: ({ transactions }) => <OrderMoney transactions={transactions} />,
  },
  {
    header: 'Attention',
    width: 'minmax(186px, 1.4fr)',
    cell: ({ attention }) => <AttentionBadges attention={attention} max={1} />,
  },
  {
    header: 'Events',
    width: '48px',
    align: 'end',
    card: 'none',
    cell: ({ events }) => events.length,
  },
  {
    header: 'Changed',
    width: '104px',
    align: 'end',
    cell: ({ updated_at }) => <Moment at={updated_at} />,
  },
];
