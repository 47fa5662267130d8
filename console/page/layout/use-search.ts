import { useEffect, useState } from 'preact/hooks';
import { getApi } from '../data/api.ts';
import { type SearchResult, search } from './search.ts';

const pauseMilliseconds = 250;

/** Searches once the reader pauses; `result` is always that of `id`. */
export function useSearch(id: string): {
  readonly result: SearchResult | undefined;
  readonly isSearching: boolean;
} {
  const [found, setFound] = useState<{ readonly id: string; readonly result: SearchResult } | undefined>();
  useEffect(() => {
    if (id === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(id, (path, query) => getApi(path, query, abort.signal)).then((result) => {
        if (!abort.signal.aborted) setFound({ id, result });
      });
    }, pauseMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id]);
  const result = found?.id === id ? found.result : undefined;
  return { result, isSearching: id !== '' && result === undefined };
}
