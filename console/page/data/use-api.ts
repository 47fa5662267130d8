import type { Mode, WaitingCount, WaitingCounts, WaitingKind } from '@payhooks/order-client';
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/preact-query';
import type { StackInfo } from '../../contract.ts';
import { type ApiError, getApi, type Query } from './api.ts';
import { createStackReader } from './stack-reader.ts';

export type ApiQuery<T> = UseQueryResult<T, ApiError>;

/**
 * Errors are shown at once, with a button that repeats the request: retries in the background would hide
 * them. What is shown stays until newer data has come.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** What a page about one thing shows. */
export interface PageOfId {
  readonly id: string;
  readonly mode: Mode;
}

/** Reads `path` if that is `enabled`, and reads it again whenever stored data may have changed. */
export function useApi<T>(path: string, query: Query = {}, { enabled = true } = {}): ApiQuery<T> {
  return useQuery<T, ApiError>({
    queryKey: [path, query],
    queryFn: ({ signal }) => getApi<T>(path, query, signal),
    enabled,
  });
}

interface Repeat {
  readonly refetchInterval?: number;
  readonly refetchOnWindowFocus?: 'always';
}

/** What the console shows: local mode or one stack on AWS. */
export const useStack = (repeat: Repeat = {}): ApiQuery<StackInfo> =>
  useQuery<StackInfo, ApiError>({
    queryKey: ['stack'],
    queryFn: ({ signal }) => readStack(signal),
    ...repeat,
  });

const readStack = createStackReader(location.host);

/** The orders of a mode that need attention; `undefined` until that is known, or when there is none. */
export function useAttention(mode: Mode): WaitingCount | undefined {
  const { data } = useApi<WaitingCounts>('/operations/waiting/counts');
  return data?.counts.find((one) => one.mode === mode && one.kind === 'attention' && one.count > 0);
}

/** How many events wait for a person in a mode; 0 until it is known, or when it may not be read. */
export function useWaitingCount(mode: Mode): number {
  const { data } = useApi<WaitingCounts>('/operations/waiting/counts');
  return countsOf(data, mode).reduce((sum, { count }) => sum + count, 0);
}

/** What waits in a mode, apart from approvals and orders with attention, which have pages of their own. */
export const countsOf = (counts: WaitingCounts | undefined, mode: Mode) =>
  (counts?.counts ?? []).filter(
    (entry): entry is WaitingCount & { readonly kind: WaitingKind } =>
      entry.mode === mode && !['approval', 'attention'].includes(entry.kind) && entry.count > 0,
  );
