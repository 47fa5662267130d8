import type { Mode, Order } from '@payhooks/order-client';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { FilterBar } from '../lists/filter-bar.tsx';
import { orderSources, readFilters } from '../lists/filters.ts';
import { ListFooter, NewRows } from '../lists/list-footer.tsx';
import { type UseList, useList } from '../lists/use-list.ts';
import { Empty } from '../parts/callout.tsx';
import { Page } from '../parts/page.tsx';
import { AttentionBadges, StatusPill } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { createLatestOrders } from './latest-orders.ts';
import { shownMoney } from './shown-money.ts';

/** One row per order, by its latest change. */
export function OrdersPage() {
  const mode = useMode();
  const { query } = useLocation();
  const { outcome: _, ...filters } = readFilters(query);
  const list = useList({
    name: 'orders',
    sources: orderSources(filters, mode),
    createList: createLatestOrders,
  });
  const columns = useMemo(orderColumns, []);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title="Orders" lead={<Lead list={list} mode={mode} />}>
      <FilterBar filters={filters} hasOutcome={false} />
      {list.rows.length === 0 && list.state === 'end' ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        <div>
          <NewRows list={list} noun="change" />
          <VirtualTable
            label="Orders, latest change first"
            columns={columns}
            rows={list.rows}
            rowKey={({ order_id }) => order_id}
            rowHref={({ order_id }) => href.order(order_id, mode)}
            onEndReached={list.state === 'more' ? list.loadMore : undefined}
            footer={<ListFooter list={list} noun="order" />}
          />
        </div>
      )}
    </Page>
  );
}

function orderColumns(): readonly Column<Order>[] {
  return [
    {
      key: 'order',
      header: 'Order',
      width: 'minmax(140px, 1.4fr)',
      card: 'title',
      cell: ({ order_id }) => <Id value={order_id} />,
    },
    {
      key: 'status',
      header: 'Status',
      width: 'minmax(150px, 1fr)',
      cell: ({ status }) => <StatusPill status={status} />,
    },
    {
      key: 'amount',
      header: 'Amount',
      width: 'minmax(max-content, 0.8fr)',
      align: 'end',
      card: 'side',
      cell: (order) => <Money {...shownMoney(order)} />,
    },
    {
      key: 'attention',
      header: 'Attention',
      width: 'minmax(186px, 1.6fr)',
      cell: ({ attention }) => <AttentionBadges attention={attention} max={1} />,
    },
    {
      key: 'events',
      header: 'Events',
      width: '64px',
      align: 'end',
      card: 'none',
      cell: ({ events }) => events.length,
    },
    {
      key: 'updated',
      header: 'Changed',
      width: '120px',
      align: 'end',
      card: 'end',
      cell: ({ updated_at }) => <Moment at={updated_at} />,
    },
  ];
}

function Lead({ list, mode }: { readonly list: UseList<Order>; readonly mode: Mode }) {
  const { rows, state } = list;
  const [latest] = rows;
  if (latest === undefined) return <>{state === 'end' ? 'Nothing to show.' : 'Reading the orders…'}</>;
  const attention = rows.filter((order) => order.attention.length > 0).length;
  const among =
    state === 'end' ? counted(rows.length, 'order') : `the latest ${counted(rows.length, 'order')}`;
  const need = attention === 1 ? 'needs' : 'need';
  return (
    <>
      The latest change was <Moment at={latest.updated_at} />.{' '}
      {attention === 0 ? (
        `None of ${among} needs attention.`
      ) : (
        <>
          <a href={href.orders(mode, { attention: 'any' })}>{attention}</a> of {among} {need} attention.
        </>
      )}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty icon="filter" title="No order matches these filters.">
      Remove a filter to see more.
    </Empty>
  ) : (
    <Empty icon="orders" title="No order is known yet.">
      The first event that names an order creates it.
    </Empty>
  );
}
