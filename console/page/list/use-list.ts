import type { Mode } from '@payhooks/order-client';
import { useInfiniteQuery } from '@tanstack/preact-query';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ApiError } from '../data/api.ts';
import type { ListFilters } from './filters.ts';
import type { ListKind } from './list-kind.ts';
import { type ListPart, latestOf, readPart, readPartAgain, type ShownParts } from './pages.ts';

/** Nobody scrolls through more: a time or another filter finds older ones. */
export const rowsMax = 2_000;

/** Where each list was left, so that going back shows it there. */
const left = new Map<string, number>();

/** The rows of a list, with further parts on demand. */
export function useRows<Row>(kind: ListKind<Row>, mode: Mode, filters: ListFilters = {}) {
  const key = JSON.stringify([kind.title, mode, filters]);
  const read = (cursor: string | undefined) => readPart<Row>(kind, { mode, ...kind.query(filters) }, cursor);
  const query = useInfiniteQuery<
    ListPart<Row>,
    ApiError,
    readonly ListPart<Row>[],
    string[],
    string | undefined
  >({
    queryKey: ['list', key],
    queryFn: ({ client, queryKey, pageParam }) =>
      readPartAgain(kind, read, pageParam, client.getQueryData<ShownParts<Row>>(queryKey)),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages,
  });
  const { data } = query;
  const rows = useMemo(() => latestOf(kind, data?.flatMap((part) => part.rows) ?? []), [data, key]);
  const [first] = rows;
  return { key, query, rows, top: first === undefined ? '' : kind.keyOf(first) };
}

/** Shows a list where it was left, and keeps what the reader looks at in place when rows come above it. */
export function useScrollPlace(key: string, top: string): void {
  const shown = useRef({ key, top });
  // Of what is on the screen until this is.
  const height = document.documentElement.scrollHeight;
  useLayoutEffect(() => {
    // The router goes to the top after a click on a link; after "back" it does not.
    scrollTo({ top: left.get(key) ?? 0 });
    const onScroll = () => void left.set(key, scrollY);
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [key]);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { key, top };
    const isAbove = key === before.key && top !== before.top;
    if (isAbove && scrollY > 0) scrollBy(0, document.documentElement.scrollHeight - height);
  }, [key, top]);
}
