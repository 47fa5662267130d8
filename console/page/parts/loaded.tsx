import type { ComponentChildren } from 'preact';
import { type ApiError, failureTitle, NoAddressError } from '../data/api.ts';
import { useConnection } from '../data/live.ts';
import { Callout } from './callout.tsx';

export interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: ApiError | null; refetch(): unknown };
  readonly children: (data: T) => ComponentChildren;
  /** Lines of the skeleton. */
  readonly lines?: number;
}

/** The data of a query; until then a skeleton; the true reason when it cannot be read. */
export function Loaded<T>({ query, children, lines = 3 }: LoadedProps<T>) {
  const { data, error } = query;
  const failure = error !== null && <Failure error={error} retry={() => void query.refetch()} />;
  if (data === undefined) return failure || <Skeleton lines={lines} />;
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}

/** An error of the API in its place, so that the rest of the page works. */
export function Failure({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  // The banner has the reason, once for the whole page.
  if (useConnection().state === 'lost') return null;
  const mayHelp = error.status !== 403 && !(error instanceof NoAddressError);
  const actions = retry !== undefined && mayHelp && (
    <button type="button" class="button" onClick={retry}>
      Try again
    </button>
  );
  return (
    <Callout
      tone={error.status === 403 ? 'attention' : 'bad'}
      title={failureTitle(error)}
      actions={actions || undefined}
    >
      <p>{error.message}</p>
    </Callout>
  );
}

export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="stack skeleton" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton-line" />
      ))}
    </div>
  );
}
