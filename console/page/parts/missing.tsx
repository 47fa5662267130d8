import type { ComponentChildren } from 'preact';
import { href } from '../data/href.ts';
import { type PageOfId, useStack } from '../data/use-api.ts';
import { Empty } from './callout.tsx';

interface MissingProps extends PageOfId {
  readonly kind: 'order' | 'event' | 'transaction';
  /** What the API responded. */
  readonly children: ComponentChildren;
}

/** Nothing has this id in this mode; the other mode is a click away. */
export function Missing({ kind, id, mode, children }: MissingProps) {
  const { data: stack } = useStack();
  const other = mode === 'live' ? 'sandbox' : 'live';
  return (
    <Empty
      icon="search"
      title={`No ${kind} with this id in ${mode} mode`}
      actions={
        <a class="button" href={href[kind](id, other)}>
          Look in {other} mode
        </a>
      }
    >
      {children}
      {stack?.kind === 'local' && <p>Local mode forgets everything when it stops.</p>}
    </Empty>
  );
}
