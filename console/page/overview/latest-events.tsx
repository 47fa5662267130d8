import type { Mode } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { eventList } from '../list/events.tsx';
import { Table } from '../list/table.tsx';
import { useRows } from '../list/use-list.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';

const shownMax = 8;

/** The latest events of the mode, with what each did to its order: the top of their list. */
export function LatestEvents({ mode }: { readonly mode: Mode }) {
  const { query, rows } = useRows(eventList, mode);
  return (
    <Section
      title="Latest events"
      note={mode}
      actions={<a href={href.events(mode)}>All events</a>}
      flush={rows.length > 0}
    >
      <Loaded query={query} lines={4}>
        {() =>
          rows.length === 0 ? (
            <p class="muted">No {mode} event so far.</p>
          ) : (
            <Table
              label="The latest events, newest first"
              columns={eventList.columns(mode)}
              rows={rows.slice(0, shownMax)}
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
