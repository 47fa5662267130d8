import type { Mode, ReceivedEvent } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { OutcomeBadge } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import type { ListKind } from './list-kind.ts';
import { ListPage } from './list-page.tsx';
import type { Column } from './table.tsx';

const idOf = ({ received_at, event_id, body_sha256 }: ReceivedEvent): string =>
  JSON.stringify([received_at, event_id, body_sha256]);

/** One row per event, by the time of its receipt, newest first. */
export const eventList: ListKind<ReceivedEvent> = {
  title: 'Events',
  noun: 'event',
  filters: ['outcome', 'prefix', 'since', 'until'],
  ...{ path: '/operations/events', field: 'events' },
  query: (filters) => ({ ...filters }),
  idOf,
  timeOf: ({ received_at }) => received_at,
  columns: eventColumns,
  keyOf: idOf,
  hrefOf: ({ event_id }, mode) => (event_id === null ? href.waiting(mode) : href.event(event_id, mode)),
  needsPerson: ({ waiting }) => waiting !== null,
  need: ['waits for a person', 'wait for a person'],
  isMarked: true,
  timeNote: 'The time selects events by their receipt; those in a queue are not listed yet.',
  nothing: {
    title: 'No events yet.',
    text: 'As soon as a signed webhook arrives, its event is the first row here.',
  },
};

export const EventsPage = () => <ListPage kind={eventList} />;

function eventColumns(mode: Mode): readonly Column<ReceivedEvent>[] {
  return [
    {
      header: 'Received',
      width: '116px',
      cell: ({ received_at }) => <Moment at={received_at} precise />,
    },
    {
      header: 'Event',
      width: 'minmax(120px, 1.5fr)',
      card: 'title',
      isLink: true,
      cell: ({ event_name }) => (event_name === null ? 'not an event' : visibleText(event_name)),
    },
    {
      header: 'Id',
      width: 'minmax(88px, 1.1fr)',
      card: 'none',
      cell: ({ event_id, body_sha256 }) => <Id value={event_id ?? body_sha256} />,
    },
    {
      header: 'Order',
      width: 'minmax(88px, 1.1fr)',
      cell: ({ order_id }) => (
        <Id value={order_id} href={order_id === null ? undefined : href.order(order_id, mode)} />
      ),
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
      cell: ({ outcome }) => (outcome === null ? 'Damaged' : <OutcomeBadge outcome={outcome} />),
    },
  ];
}
