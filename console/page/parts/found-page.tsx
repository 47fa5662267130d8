import type { ComponentChildren } from 'preact';
import { type PageOfId, useApi } from '../data/use-api.ts';
import { Loaded } from './loaded.tsx';
import { Missing } from './missing.tsx';
import { Page } from './page.tsx';
import { ModeTag } from './pills.tsx';
import { Id } from './values.tsx';

interface FoundPageProps<T> extends PageOfId {
  readonly kind: 'event' | 'transaction';
  readonly path: string;
  /** What is the case, in a sentence. */
  readonly leadOf: (found: T) => string;
  readonly children: (found: T) => ComponentChildren;
}

/** The page of what has an id, or of nothing that has it. */
export function FoundPage<T>({ kind, id, mode, path, leadOf, children }: FoundPageProps<T>) {
  const query = useApi<T>(path, { mode });
  const title = (
    <>
      <Id value={id} copy /> <ModeTag mode={mode} />
    </>
  );
  return (
    <Page title={title} tabTitle={id} lead={query.data && leadOf(query.data)}>
      {query.error?.status === 404 ? (
        <Missing kind={kind} id={id} mode={mode}>
          {query.error.message}
        </Missing>
      ) : (
        <Loaded query={query} lines={8}>
          {children}
        </Loaded>
      )}
    </Page>
  );
}
