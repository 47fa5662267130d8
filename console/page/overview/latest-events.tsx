import type { Mode, OrderList, WaitingList } from '@payhooks/order-client';
import { useMemo } from 'preact/hooks';
import { href } from '../data/href.ts';
import { useApi } from '../data/use-api.ts';
import { eventColumns } from '../events/event-columns.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { latestNote, latestRows, waitingSince } from './latest-rows.ts';

/** More than the rows that are shown, because one event may have changed several orders. */
const ordersRead = 20;

/** The latest events of the mode, with what each did to its order. */
export function LatestEvents({ mode }: { readonly mode: Mode }) {
  const orders = useApi<OrderList>('/orders', { mode, sort_order: 'desc', limit: ordersRead });
  const page = orders.data && { orders: orders.data.orders, isLast: orders.data.next_cursor === null };
  const since = page && waitingSince(page);
  const waiting = useApi<WaitingList>(
    '/operations/waiting',
    { mode, since },
    { enabled: page !== undefined, keepPrevious: true },
  );
  const columns = useMemo(() => eventColumns(mode), [mode]);
  const rows = page === undefined ? [] : latestRows(page, waiting.data?.events ?? []);
  return (
    <Section
      title="Latest events"
      note={latestNote(mode, waiting.data)}
      actions={<a href={href.events(mode)}>All events</a>}
      flush={rows.length > 0}
    >
      <Loaded query={orders} lines={4}>
        {() =>
          rows.length === 0 ? (
            <p class="muted">No {mode} event so far.</p>
          ) : (
            <VirtualTable
              label="The latest events, newest first"
              columns={columns}
              rows={rows}
              rowKey={({ key }) => key}
              rowHref={({ id }) => (id === null ? href.waiting(mode) : href.event(id, mode))}
              rowClass={(row) => (row.waiting === null ? undefined : 'is-waiting')}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
