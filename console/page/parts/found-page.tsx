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
  /** What it is called, once it is found; its id is shown as well. */
  readonly titleOf?: (found: T) => string | undefined;
  /** What is the case, in a sentence. */
  readonly leadOf: (found: T) => string;
  readonly children: (found: T) => ComponentChildren;
}

/** The page of what has an id, or of nothing that has it. */
export function FoundPage<T>({ kind, id, mode, path, titleOf, leadOf, children }: FoundPageProps<T>) {
  const query = useApi<T>(path, { mode });
  const name = query.data && titleOf?.(query.data);
  const title = (
    <>
      {name !== undefined && <span class="clip">{name}</span>} <Id value={id} copy /> <ModeTag mode={mode} />
    </>
  );
  return (
    <Page title={title} tabTitle={name ?? id} lead={query.data && leadOf(query.data)}>
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
