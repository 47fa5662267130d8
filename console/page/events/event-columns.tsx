import type { Mode } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { AttentionBadges, OutcomeBadge, StatusChange } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Duration, Id, Moment, Money } from '../parts/values.tsx';
import type { Column } from '../parts/virtual-table.tsx';
import type { EventRow } from './event-rows.ts';

export function eventColumns(mode: Mode): readonly Column<EventRow>[] {
  return [
    {
      key: 'time',
      header: 'Received',
      width: '116px',
      card: 'meta',
      cell: ({ receivedAt }) => <Moment at={receivedAt} precise />,
    },
    {
      key: 'name',
      header: 'Event',
      width: 'minmax(120px, 1.5fr)',
      card: 'title',
      isLink: true,
      cell: ({ name }) => (
        <span class="event-name">{name === null ? 'not an event' : visibleText(name)}</span>
      ),
    },
    {
      key: 'order',
      header: 'Order',
      width: 'minmax(88px, 1.1fr)',
      cell: ({ orderId }) => (
        <Id value={orderId} href={orderId === null ? undefined : href.order(orderId, mode)} />
      ),
    },
    {
      key: 'change',
      header: 'Order before → after',
      width: 'minmax(200px, 2.44fr)',
      card: 'none',
      cell: ({ before, after, waiting }) =>
        waiting === null ? (
          <StatusChange before={before} after={after} />
        ) : (
          <span class="faint">unchanged</span>
        ),
    },
    {
      // Money is never cut.
      key: 'amount',
      header: 'Amount',
      width: 'minmax(max-content, 1.12fr)',
      align: 'end',
      card: 'side',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'outcome',
      header: 'Outcome',
      width: 'minmax(160px, 1.88fr)',
      card: 'none',
      cell: ({ outcome, attention }) =>
        // Attention is of an order, which only applied events have.
        attention.length === 0 ? (
          <OutcomeBadge outcome={outcome} />
        ) : (
          <AttentionBadges attention={attention} max={1} />
        ),
    },
    {
      key: 'effect',
      header: 'Effect',
      card: 'end',
      cell: (row) => <Effect row={row} />,
    },
    {
      key: 'recorded',
      header: 'Recorded in',
      width: '76px',
      isWideOnly: true,
      align: 'end',
      card: 'none',
      cell: ({ receivedAt, recordedAt }) => <Duration milliseconds={between(receivedAt, recordedAt)} />,
    },
  ];
}

/** What matters most, where there is little room. */
function Effect({ row }: { readonly row: EventRow }) {
  if (row.waiting !== null) return <OutcomeBadge outcome={row.outcome} />;
  if (row.attention.length > 0) return <AttentionBadges attention={row.attention} max={1} />;
  return <StatusChange before={null} after={row.after} />;
}

/** From receipt to record; clocks of two machines may disagree by some milliseconds. */
function between(received: string | null, recorded: string | null): number | null {
  if (received === null || recorded === null) return null;
  return Math.max(0, Date.parse(recorded) - Date.parse(received));
}
