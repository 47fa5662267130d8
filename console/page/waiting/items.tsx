import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { SubjectContext } from '../acts/acts.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import type { Pages } from './use-pages.ts';

interface ItemProps {
  readonly title: ComponentChildren;
  readonly meta: ComponentChildren;
  readonly buttons?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A row of a section: what it is, what is known of it, and what a person can do about it. */
export function Item({ title, meta, buttons, children }: ItemProps) {
  const id = useId();
  return (
    <li class="row spread">
      <div class="stack tight item">
        <div class="stack tight" id={id}>
          <div class="row">{title}</div>
          <div class="row small faint">{meta}</div>
        </div>
        {children}
      </div>
      <SubjectContext.Provider value={id}>{buttons}</SubjectContext.Provider>
    </li>
  );
}

/** What each act does, before the rows that it can be done to. */
export const Choices = ({ texts }: { readonly texts: Readonly<Record<string, string>> }) => (
  <div class="sunken">
    <Facts facts={texts} />
  </div>
);

/** Below the rows of a list: its next page, that it loads, or why it cannot. */
export function More({ pages }: { readonly pages: Pages<{ readonly next_cursor: string | null }> }) {
  const { error, isPending, hasNextPage, isFetchingNextPage } = pages;
  if (error !== null) return <Failure error={error} retry={() => void pages.refetch()} />;
  if (isPending) return <Skeleton lines={3} />;
  if (!hasNextPage) return null;
  return (
    <button
      type="button"
      class="button"
      disabled={isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {isFetchingNextPage ? 'Loading…' : 'Show more'}
    </button>
  );
}
