import { Failure, Skeleton } from '../parts/loaded.tsx';
import type { Pages } from './use-pages.ts';

interface MoreProps {
  readonly pages: Pages<{ readonly next_cursor: string | null }>;
  readonly what: string;
}

/** What stands below the rows of a list: its next page, that it loads, or why it cannot. */
export function More({ pages, what }: MoreProps) {
  const { error, isPending, hasNextPage, isFetchingNextPage } = pages;
  if (error !== null) return <Failure error={error} retry={() => void pages.refetch()} />;
  if (isPending) return <Skeleton lines={3} />;
  if (!hasNextPage) return null;
  return (
    <div class="more">
      <button
        type="button"
        class="button"
        disabled={isFetchingNextPage}
        onClick={() => void pages.fetchNextPage()}
      >
        {isFetchingNextPage ? 'Loading…' : `Show more ${what}`}
      </button>
    </div>
  );
}
