import type { WaitingReader } from '../../lambdas/ports/waiting-reader.ts';
import type { memoryStores } from './memory-stores.ts';

/** The index of what waits, over tables in memory. */
export function memoryWaiting({
  events,
  eventNames,
}: Pick<ReturnType<typeof memoryStores>, 'events' | 'eventNames'>): WaitingReader {
  const oldestFirst = (a: { readonly recordedAt: string }, b: { readonly recordedAt: string }): number =>
    a.recordedAt < b.recordedAt ? -1 : 1;
  const rowsOf: (...partition: Parameters<WaitingReader['count']>) => { readonly recordedAt: string }[] = (
    mode,
    kind,
  ) =>
    kind === 'event_name'
      ? [...eventNames.values()].filter((row) => row.mode === mode)
      : [...events.values()].filter((row) => row.mode === mode && row.waiting === kind);
  return {
    count: async (mode, kind) => rowsOf(mode, kind).length,
    oldest: async (mode, kind) => rowsOf(mode, kind).toSorted(oldestFirst)[0]?.recordedAt,
    eventNames: async (mode) =>
      [...eventNames.values()].filter((row) => row.mode === mode).toSorted(oldestFirst),
  };
}
