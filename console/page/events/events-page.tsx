import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { FilterBar } from '../lists/filter-bar.tsx';
import { eventSources, type ListFilters, readFilters, showsItem } from '../lists/filters.ts';
import { ListFooter, NewRows } from '../lists/list-footer.tsx';
import { type UseList, useList } from '../lists/use-list.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Page } from '../parts/page.tsx';
import { Moment } from '../parts/values.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { eventColumns } from './event-columns.tsx';
import type { EventRow } from './event-rows.ts';
import { listSentence } from './list-sentence.ts';
import { createNewestFirst } from './newest-first.ts';

/** One row per event, newest first: what it did to its order, or why it waits. */
export function EventsPage() {
  const mode = useMode();
  const { query } = useLocation();
  const filters = readFilters(query);
  const list = useList({
    name: 'events',
    sources: eventSources(filters, mode),
    variant: filters.outcome,
    createList: () => createNewestFirst((item) => showsItem(filters, item)),
  });
  const columns = useMemo(() => eventColumns(mode), [mode]);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title="Events" lead={<Lead list={list} filters={filters} />}>
      <FilterBar filters={filters} hasOutcome />
      {list.waitingError !== undefined && (
        <Callout tone="attention" title="Waiting events are not in this list">
          <p>{list.waitingError.message}</p>
        </Callout>
      )}
      {list.hasMoreWaiting && (
        <Callout tone="attention" title="More events wait than this list shows">
          <p>
            It does not have all of them. <a href={href.waiting(mode)}>The waiting room</a> lists all.
          </p>
        </Callout>
      )}
      {list.rows.length === 0 && list.state === 'end' ? (
        <Nothing isFiltered={isFiltered} isWhole={list.waitingError === undefined} />
      ) : (
        <div>
          <NewRows list={list} noun="event" />
          <VirtualTable
            label="Events, newest first"
            columns={columns}
            rows={list.rows}
            rowKey={({ key }) => key}
            rowHref={({ id }) => (id === null ? href.waiting(mode) : href.event(id, mode))}
            rowClass={({ waiting }) => (waiting === null ? undefined : 'is-waiting')}
            onEndReached={list.state === 'more' ? list.loadMore : undefined}
            footer={<ListFooter list={list} noun="event" />}
          />
        </div>
      )}
    </Page>
  );
}

function Lead(props: { readonly list: UseList<EventRow>; readonly filters: ListFilters }) {
  const { since, until } = props.filters;
  const { rows, state } = props.list;
  const [newest] = rows;
  if (newest === undefined) return <>{state === 'end' ? 'Nothing to show.' : 'Reading what has come…'}</>;
  const what = listSentence(props.list, Object.keys(props.filters).length > 0);
  return (
    <>
      The newest event came <Moment at={newest.receivedAt} />. {what}
      {(since !== undefined || until !== undefined) && ' The time selects orders by their latest change.'}
    </>
  );
}

function Nothing({ isFiltered, isWhole }: { readonly isFiltered: boolean; readonly isWhole: boolean }) {
  if (!isWhole) return null;
  return isFiltered ? (
    <Empty icon="filter" title="No event matches these filters.">
      Remove a filter to see more.
    </Empty>
  ) : (
    <Empty icon="events" title="No event counts yet, and none waits.">
      As soon as a signed webhook arrives, its event is the first row here.
    </Empty>
  );
}
