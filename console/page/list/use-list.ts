import { useInfiniteQuery, useQueryClient } from '@tanstack/preact-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ApiError } from '../data/api.ts';
import { useChanges } from '../data/live.ts';
import { useStack } from '../data/use-api.ts';
import type { ListFilters } from './filters.ts';
import type { ListKind } from './list-kind.ts';
import { type ListPart, type ListSources, readPart } from './pages.ts';

/** Scrolled further than this, a reader wants the rows to stay where they are. */
const heldFromPixels = 160;
/** An index may show a change this long after it was made. */
const settleMilliseconds = 2_500;
/** Nobody scrolls through more: a time or another filter finds older ones. */
export const rowsMax = 2_000;

/** Where each list was left, so that going back shows it there. */
const left = new Map<string, number>();

type Parts = { readonly pages: readonly ListPart[]; readonly pageParams: readonly unknown[] };

/** The rows of a list: further parts on demand, and an up-to-date top while the reader looks at it. */
export function useList<Row>(kind: ListKind<Row>, sources: ListSources, filters: ListFilters) {
  const client = useQueryClient();
  const key = JSON.stringify([kind.title, sources, filters]);
  const queryKey = useMemo(() => ['list', key], [key]);
  const read = (cursor: string | undefined) =>
    readPart(sources, cursor, (loaded) => kind.rows(loaded, filters).length > 0);
  const query = useInfiniteQuery<ListPart, ApiError, readonly ListPart[], string[], string | undefined>({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rows = useMemo(() => rowsOf(kind, query.data ?? [], filters), [query.data, key]);
  const [newCount, setNewCount] = useState(0);

  const refresh = useCallback(async (): Promise<void> => {
    if (scrollY > heldFromPixels) {
      const known = new Set(rows.map(kind.keyOf));
      const top = await read(undefined).catch(() => undefined);
      const fresh = top === undefined ? [] : rowsOf(kind, [top], filters);
      return setNewCount(fresh.filter((row) => !known.has(kind.keyOf(row))).length);
    }
    // At the top, a reader sees none of the further parts that are lost.
    client.setQueryData<Parts>(queryKey, (parts) => parts && firstOf(parts));
    await query.refetch();
    setNewCount(0);
  }, [rows, queryKey]);
  useRefresh(refresh);

  useLayoutEffect(() => {
    // The router goes to the top after a click on a link; after "back" it does not.
    scrollTo({ top: left.get(key) ?? 0 });
  }, [key]);
  useEffect(() => {
    const onScroll = (): void => {
      left.set(key, scrollY);
      if (newCount > 0 && scrollY <= heldFromPixels) void refresh();
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [key, newCount, refresh]);
  useEffect(() => void refresh(), [key]);
  return { query, rows, newCount };
}

const firstOf = ({ pages, pageParams }: Parts): Parts => ({
  ...{ pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) },
});

/** An order that changed between two parts is in both: its first state is the newest. */
function rowsOf<Row>(kind: ListKind<Row>, parts: readonly ListPart[], filters: ListFilters): readonly Row[] {
  const seen = new Set<string>();
  const orders = parts
    .flatMap((part) => part.orders)
    .filter(({ order_id }) => !seen.has(order_id) && seen.add(order_id));
  const items = parts[0]?.items ?? [];
  return kind.rows({ orders, items, isLast: parts.at(-1)?.next === null }, filters);
}

/** A deployed stack announces a change every ten seconds in any case, which is late enough. */
function useRefresh(refresh: () => Promise<void>): void {
  const isLocal = useStack().data?.kind === 'local';
  const onChange = useCallback(() => {
    void refresh();
    if (isLocal) setTimeout(() => void refresh(), settleMilliseconds);
  }, [refresh, isLocal]);
  useChanges(onChange);
}
