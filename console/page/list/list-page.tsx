import { useMemo } from 'preact/hooks';
import { useFilters, useMode } from '../data/address.ts';
import { Empty } from '../parts/callout.tsx';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { counted } from '../parts/texts.ts';
import { FilterBar } from './filter-bar.tsx';
import { type ListFilters, readFilters } from './filters.ts';
import type { ListKind } from './list-kind.ts';
import { Table } from './table.tsx';
import { rowsMax, useRows, useScrollPlace } from './use-list.ts';

/** A list: its filters, its rows, and further ones on demand. */
export function ListPage<Row>({ kind }: { readonly kind: ListKind<Row> }) {
  const mode = useMode();
  const filters = readFilters(useFilters().filters, kind.filters);
  const { key, query, rows, top } = useRows(kind, mode, filters);
  useScrollPlace(key, top);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const columns = useMemo(() => kind.columns(mode), [kind, mode]);
  const isNothing = rows.length === 0 && data !== undefined && !hasNextPage;
  const isFiltered = Object.keys(filters).length > 0;
  const isFull = rows.length >= rowsMax;
  return (
    <Page title={kind.title} lead={data && leadOf(kind, rows, hasNextPage) + timeNoteOf(kind, filters)}>
      <FilterBar filters={filters} names={kind.filters} />
      {isNothing && (
        <Empty
          icon={isFiltered ? 'filter' : 'events'}
          title={isFiltered ? `No ${kind.noun} matches these filters.` : kind.nothing.title}
        >
          {isFiltered ? 'Remove a filter to see more.' : kind.nothing.text}
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label={`${kind.title}, the latest first`}
          columns={columns}
          rows={rows}
          keyOf={kind.keyOf}
          hrefOf={(row) => kind.hrefOf(row, mode)}
          {...(kind.isMarked && { isMarked: kind.needsPerson })}
        />
      )}
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <Skeleton lines={8} />}
      {hasNextPage && !isFull && (
        <p class="row centred">
          <button
            type="button"
            class="button"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {isFetchingNextPage ? 'Loading…' : 'Load more'}
          </button>
        </p>
      )}
      {hasNextPage && isFull && <p class="row centred faint">Choose a time to see older ones.</p>}
    </Page>
  );
}

/** Such as `12 events; 2 of them wait for a person.` */
function leadOf<Row>(kind: ListKind<Row>, rows: readonly Row[], hasMore: boolean): string {
  const [one, many] = kind.need;
  const needing = rows.filter(kind.needsPerson).length;
  const all = `${hasMore ? 'The latest ' : ''}${counted(rows.length, kind.noun)}`;
  if (rows.length === 0) return 'Nothing to show.';
  return `${all}; ${needing === 0 ? 'none' : needing} of them ${needing <= 1 ? one : many}.`;
}

const timeNoteOf = <Row,>({ timeNote }: ListKind<Row>, { since, until }: ListFilters): string =>
  since === undefined && until === undefined ? '' : ` ${timeNote}`;
