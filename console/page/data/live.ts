import { useQueryClient } from '@tanstack/preact-query';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiError, getApi } from './api.ts';
import { type Connection, createLiveConnection, type LiveConnection } from './live-connection.ts';

const probeMilliseconds = 5_000;

/** The stream of the console's server, over the browser's EventSource. */
export const createBrowserConnection = (): LiveConnection =>
  createLiveConnection({
    open(events) {
      const source = new EventSource('/console/api/live');
      source.addEventListener('hello', (message) => events.hello(JSON.parse(message.data)));
      source.addEventListener('changed', () => events.changed());
      source.addEventListener('error', () => events.failed());
      return () => source.close();
    },
    reason: lostReason,
    later(milliseconds, task) {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    },
    isHidden: () => document.visibilityState === 'hidden',
  });

/** EventSource does not say why it failed, so an ordinary request is sent to find out. */
async function lostReason(): Promise<string> {
  try {
    await getApi('/console/api/stack', {}, AbortSignal.timeout(probeMilliseconds));
    return 'The live connection was closed.';
  } catch (error) {
    if (!(error instanceof ApiError)) return `${location.host} does not respond.`;
    if (error.status === 0) return `No server is running at ${location.host}.`;
    if (error.status === 401) return 'The console was restarted: open the link that it printed again.';
    return error.message;
  }
}

export const LiveContext = createContext<LiveConnection | undefined>(undefined);

export function useLive(): { readonly connection: Connection; readonly retry: () => void } {
  const live = useContext(LiveContext);
  const [connection, setConnection] = useState<Connection>(live?.current() ?? { state: 'connecting' });
  useEffect(
    () => live?.subscribe((signal) => signal === 'connection' && setConnection(live.current())),
    [live],
  );
  return { connection, retry: () => live?.refresh() };
}

/** Calls `listener` when stored data may have changed. */
export function useChanges(listener: () => void): void {
  const live = useContext(LiveContext);
  useEffect(() => live?.subscribe((signal) => signal === 'changed' && listener()), [live, listener]);
}

/** At once, or when the reader has closed the dialog that is open. */
function reloadPage(): void {
  if (document.querySelector('dialog[open]') === null) location.reload();
  else document.addEventListener('close', reloadPage, { capture: true, once: true });
}

/** Opens the stream, refetches what is shown when stored data may have changed, follows the tab. */
export function useLiveUpdates(live: LiveConnection): void {
  const client = useQueryClient();
  useEffect(() => {
    const unsubscribe = live.subscribe((signal) => {
      // A list refreshes itself: it stays where it is while the reader has scrolled.
      if (signal === 'changed')
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'list' });
      if (signal === 'new-build') reloadPage();
    });
    const refresh = (): void => live.refresh();
    document.addEventListener('visibilitychange', refresh);
    refresh();
    return () => {
      document.removeEventListener('visibilitychange', refresh);
      unsubscribe();
      live.close();
    };
  }, [live, client]);
}
