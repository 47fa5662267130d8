import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useFilters, useMode } from '../data/address.ts';
import { getApi } from '../data/api.ts';
import { href } from '../data/href.ts';
import { Skeleton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { ModeTag, StatusPill } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { type SearchResult, search } from './search.ts';

/** What has exactly the id of the address, in both modes. A single hit is opened. */
export function SearchPage() {
  const { route } = useLocation();
  const mode = useMode();
  const id = (useFilters().filters['q'] ?? '').trim();
  const { data } = useQuery<SearchResult>({
    queryKey: ['search', id],
    queryFn: ({ signal }) => search(id, (path, query) => getApi(path, query, signal)),
  });
  const { hits = [], problems = [] } = data ?? {};
  useEffect(() => {
    const [only, ...others] = hits;
    if (only !== undefined && others.length + problems.length === 0) route(only.href, true);
  }, [data]);
  const nothing = `Nothing has exactly the id "${visibleText(id)}", in live or sandbox mode.`;
  const found = hits.length > 0 ? [`Found as "${visibleText(id)}":`, ...problems] : problems;
  const lead = data === undefined ? 'Searching live and sandbox…' : found.join(' ');
  return (
    <Page title="Search" lead={lead === '' ? nothing : lead}>
      {data === undefined && <Skeleton lines={3} />}
      <ul class="items">
        {hits.map((hit) => (
          <li key={hit.href}>
            <a class="row" href={hit.href}>
              {hit.words}
              {hit.status !== undefined && <StatusPill status={hit.status} />}
              <ModeTag mode={hit.mode} />
            </a>
          </li>
        ))}
      </ul>
      {id !== '' && (
        <p>
          <a href={href.events(mode, { prefix: id })}>
            Events whose event, order or transaction id begins with it
          </a>
        </p>
      )}
    </Page>
  );
}
