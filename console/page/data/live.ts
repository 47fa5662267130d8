import { type QueryFilters, useIsFetching, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import type { StackInfo } from '../../contract.ts';
import { isIncomplete } from './later.ts';
import { useStack } from './use-api.ts';

export type Connection =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'lost'; readonly reason: string };

const lookMilliseconds = 1_000;
const shownData: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'stack' };

/**
 * Follows the console's server while the tab is visible: reads what is shown again when stored data may have
 * changed, and the page itself when its code has. `onFirst` is called when the server has responded first.
 */
export function LiveUpdates({ onFirst }: { readonly onFirst: () => void }) {
  const client = useQueryClient();
  const { data, errorUpdateCount } = useStack({
    refetchInterval: lookMilliseconds,
    refetchOnWindowFocus: 'always',
  });
  const reads = useIsFetching(shownData);
  const seen = useRef<StackInfo>();
  useEffect(() => {
    if (data !== undefined) onFirst();
  }, [data === undefined]);
  useEffect(() => {
    const before = seen.current;
    if (data === undefined || data.changes === before?.changes) return;
    // What is being read may be older; ended early, it might never be read on a busy machine.
    if (before !== undefined && reads > 0) return;
    seen.current = data;
    if (before === undefined) return;
    if (data.build === before.build) void client.invalidateQueries(shownData);
    else reloadPage();
  }, [client, data, reads]);
  const { state } = useConnection();
  useEffect(() => {
    if (state !== 'open' || errorUpdateCount === 0) return;
    if (isIncomplete()) reloadPage();
    else void client.invalidateQueries(shownData);
  }, [state]);
  return null;
}

/** At once, or when the reader has closed the dialog that is open. */
function reloadPage(): void {
  if (document.querySelector('dialog[open]') === null) location.reload();
  else document.addEventListener('close', reloadPage, { capture: true, once: true });
}

/** Whether the page follows the server, and the sentence for the reader when it cannot. */
export function useConnection(): Connection & { readonly retry: () => void; readonly at: number } {
  const { data, error, refetch, dataUpdatedAt: at } = useStack();
  const retry = () => void refetch();
  if (error !== null) return { state: 'lost', reason: error.message, retry, at };
  return { state: data === undefined ? 'connecting' : 'open', retry, at };
}
