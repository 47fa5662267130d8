import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { getApi } from '../data/api.ts';
import { useLiveSignal } from '../data/live.ts';
import type { LiveSignal } from '../data/live-connection.ts';
import { useStack } from '../data/stack.ts';
import { createListLoader, type ListLoader, type ListView } from './list-loader.ts';
import type { ListSources } from './pages.ts';
import type { RowList } from './row-list.ts';

export interface UseList<Row> extends ListView<Row> {
  loadMore(): void;
  /** Goes to the top, where the new rows are. */
  showNew(): void;
}

export interface ListOf<Row> {
  readonly name: string;
  readonly sources: ListSources;
  /** What else than its sources makes two lists of one name different. */
  readonly variant?: string | undefined;
  readonly createList: () => RowList<Row>;
}

interface Kept {
  readonly key: string;
  readonly loader: ListLoader<unknown>;
  scrollY: number;
}

/** The last list of each page, so that going back shows it where it was. */
const kept = new Map<string, Kept>();
/** Scrolled further than this, a reader wants the rows to stay where they are. */
const heldFromPixels = 160;
/** An index may show a change this long after it was made. */
const settleMilliseconds = 2_500;

/** A list of a page: loads further pages on demand, and keeps its top up to date. */
export function useList<Row>(source: ListOf<Row>): UseList<Row> {
  const { name } = source;
  const key = JSON.stringify([source.sources, source.variant]);
  const loader = useMemo(() => keptLoader(source, key), [key]);
  const [view, setView] = useState(loader.current());
  useEffect(() => {
    const update = (): void => setView(loader.current());
    update();
    const unsubscribe = loader.subscribe(update);
    void loader.refresh();
    return unsubscribe;
  }, [loader]);
  useScroll(name, loader);
  const { data: stack } = useStack();
  useChanges(loader, stack?.kind === 'local');
  return {
    ...(view === loader.current() ? view : loader.current()),
    loadMore: useCallback(() => void loader.loadMore(), [loader]),
    showNew: () => {
      scrollTo({ top: 0 });
      loader.hold(false);
    },
  };
}

function keptLoader<Row>({ name, sources, createList }: ListOf<Row>, key: string): ListLoader<Row> {
  const earlier = kept.get(name);
  if (earlier?.key === key) return earlier.loader as ListLoader<Row>;
  earlier?.loader.close();
  const loader = createListLoader(sources, createList, getApi);
  kept.set(name, { key, loader: loader as ListLoader<unknown>, scrollY: 0 });
  return loader;
}

function useScroll<Row>(name: string, loader: ListLoader<Row>): void {
  useLayoutEffect(() => {
    // The router goes to the top after a click on a link; after "back" it does not.
    scrollTo({ top: kept.get(name)?.scrollY ?? 0 });
    const onScroll = (): void => {
      const list = kept.get(name);
      if (list !== undefined) list.scrollY = scrollY;
      loader.hold(scrollY > heldFromPixels);
    };
    addEventListener('scroll', onScroll, { passive: true });
    // Going to a place and back to the top within one frame is no scroll event.
    const frame = requestAnimationFrame(onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', onScroll);
    };
  }, [name, loader]);
}

/** A deployed stack announces a change every ten seconds in any case, which is late enough. */
function useChanges<Row>(loader: ListLoader<Row>, isLocal: boolean): void {
  const onSignal = useMemo(() => {
    let later: ReturnType<typeof setTimeout> | undefined;
    return (signal: LiveSignal): void => {
      if (signal !== 'changed' && signal !== 'reconnected') return;
      void loader.refresh();
      clearTimeout(later);
      if (isLocal) later = setTimeout(() => void loader.refresh(), settleMilliseconds);
    };
  }, [loader, isLocal]);
  useLiveSignal(onSignal);
}
