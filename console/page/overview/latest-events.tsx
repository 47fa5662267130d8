import type { Mode, OrderList, WaitingList } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { useApi } from '../data/use-api.ts';
import { eventRows } from '../list/event-rows.ts';
import { eventList } from '../list/events.tsx';
import { Table } from '../list/table.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';

const shownMax = 8;
/** More than the rows that are shown, because one event may have changed several orders. */
const ordersRead = 20;

/** The latest events of the mode, with what each did to its order. */
export function LatestEvents({ mode }: { readonly mode: Mode }) {
  const orders = useApi<OrderList>('/orders', { mode, sort_order: 'desc', limit: ordersRead });
  const page = { orders: orders.data?.orders ?? [], isLast: orders.data?.next_cursor === null };
  // What waits since before the latest events is none of them.
  const since = eventRows({ ...page, items: [] })[shownMax - 1]?.receivedAt ?? undefined;
  const options = { enabled: orders.data !== undefined, keepPrevious: true };
  const waiting = useApi<WaitingList>('/operations/waiting', { mode, since }, options);
  const rows = eventRows({ ...page, items: waiting.data?.events ?? [] }).slice(0, shownMax);
  return (
    <Section
      title="Latest events"
      // What waits is read oldest first: of very much, the latest may not be among the rows.
      note={waiting.data?.next_cursor ? `${mode}; more events wait than are read here` : mode}
      actions={<a href={href.events(mode)}>All events</a>}
      flush={rows.length > 0}
    >
      <Loaded query={orders} lines={4}>
        {() =>
          rows.length === 0 ? (
            <p class="muted">No {mode} event so far.</p>
          ) : (
            <Table
              label="The latest events, newest first"
              columns={eventList.columns(mode)}
              rows={rows}
              keyOf={eventList.keyOf}
              hrefOf={(row) => eventList.hrefOf(row, mode)}
              isMarked={eventList.needsPerson}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
