import type { Mode } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { AttentionBadges, OutcomeBadge, StatusChange } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import { type EventRow, eventRows, eventSources } from './event-rows.ts';
import type { ListKind } from './list-kind.ts';
import { ListPage } from './list-page.tsx';
import type { Column } from './table.tsx';

/** One row per event, newest first: what it did to its order, or why it waits. */
export const eventList: ListKind<EventRow> = {
  title: 'Events',
  noun: 'event',
  filters: ['outcome', 'status', 'attention', 'since', 'until'],
  sources: eventSources,
  rows: (loaded, { outcome }) =>
    eventRows({
      ...loaded,
      items: loaded.items.filter((item) => outcome === undefined || item.outcome === outcome),
    }),
  columns: eventColumns,
  keyOf: ({ key }) => key,
  hrefOf: ({ id }, mode) => (id === null ? href.waiting(mode) : href.event(id, mode)),
  needsPerson: ({ waits }) => waits,
  need: ['waits for a person', 'wait for a person'],
  isMarked: true,
  nothing: {
    title: 'No event counts yet, and none waits.',
    text: 'As soon as a signed webhook arrives, its event is the first row here.',
  },
};

export const EventsPage = () => <ListPage kind={eventList} />;

function eventColumns(mode: Mode): readonly Column<EventRow>[] {
  return [
    {
      header: 'Received',
      width: '116px',
      cell: ({ receivedAt }) => <Moment at={receivedAt} precise />,
    },
    {
      header: 'Event',
      width: 'minmax(120px, 1.5fr)',
      card: 'title',
      isLink: true,
      cell: ({ name }) => (name === null ? 'not an event' : visibleText(name)),
    },
    {
      header: 'Order',
      width: 'minmax(88px, 1.1fr)',
      cell: ({ orderId }) => (
        <Id value={orderId} href={orderId === null ? undefined : href.order(orderId, mode)} />
      ),
    },
    {
      header: 'Order before → after',
      width: 'minmax(200px, 2.44fr)',
      cell: ({ before, after, waits }) =>
        waits ? <span class="faint">unchanged</span> : <StatusChange before={before} after={after} />,
    },
    {
      // Money is never cut.
      header: 'Amount',
      width: 'minmax(max-content, 1.12fr)',
      align: 'end',
      card: 'side',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      header: 'Outcome',
      width: 'minmax(160px, 1.88fr)',
      cell: ({ outcome, attention }) =>
        // Attention is of an order, which only applied events have.
        attention.length === 0 ? (
          <OutcomeBadge outcome={outcome} />
        ) : (
          <AttentionBadges attention={attention} max={1} />
        ),
    },
  ];
}
