import { useInfiniteQuery } from '@tanstack/preact-query';
import { type ApiError, getApi, type Query } from '../data/api.ts';

interface Page {
  readonly next_cursor: string | null;
}

/** A list of the API, page by page. Each change of stored data reads the shown pages again. */
export function usePages<T extends Page>(path: string, query: Query) {
  return useInfiniteQuery<T, ApiError, readonly T[], readonly unknown[], string | null>({
    queryKey: [path, 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      getApi<T>(path, { ...query, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages,
  });
}

export type Pages<T extends Page> = ReturnType<typeof usePages<T>>;
