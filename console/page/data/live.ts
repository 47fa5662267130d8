import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import type { StackInfo } from '../../contract.ts';
import { useStack } from './use-api.ts';

export type Connection =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'lost'; readonly reason: string };

const lookMilliseconds = 1_000;
/** An index may show a change this long after it was made. */
const settleMilliseconds = 2_500;

/**
 * Follows the console's server while the tab is visible: reads what is shown again when stored data may have
 * changed, and the page itself when its code has.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  const { data } = useStack({ refetchInterval: lookMilliseconds, refetchOnWindowFocus: 'always' });
  const first = useRef<StackInfo>();
  useEffect(() => {
    if (data === undefined) return;
    const isFirst = first.current === undefined;
    first.current ??= data;
    if (data.build !== first.current.build) reloadPage();
    if (isFirst) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'stack' });
    if (data.kind !== 'local') return;
    const refresh = () => void client.invalidateQueries({ queryKey: ['list'] });
    const timer = setTimeout(refresh, settleMilliseconds);
    return () => clearTimeout(timer);
  }, [client, data?.build, data?.changes]);
}

/** At once, or when the reader has closed the dialog that is open. */
function reloadPage(): void {
  if (document.querySelector('dialog[open]') === null) location.reload();
  else document.addEventListener('close', reloadPage, { capture: true, once: true });
}

/** Whether the page follows the server, and the sentence for the reader when it cannot. */
export function useConnection(): Connection & { readonly retry: () => void } {
  const { data, error, refetch } = useStack();
  const retry = () => void refetch();
  if (error !== null) return { state: 'lost', reason: error.message, retry };
  return { state: data === undefined ? 'connecting' : 'open', retry };
}
