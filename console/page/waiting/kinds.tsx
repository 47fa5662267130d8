import type { Mode, WaitingCount, WaitingKind } from '@payhooks/order-client';
import { withQuery } from '../data/api.ts';
import { href } from '../data/href.ts';
import { waitingWords, wordFor } from '../parts/words.ts';
import { KindSection } from './kind-section.tsx';
import { totalOf } from './room.ts';

interface KindsProps {
  /** Of the kinds of which something waits. */
  readonly counts: readonly WaitingCount[];
  readonly mode: Mode;
  readonly selected: WaitingKind | undefined;
}

/** A section for each kind of which something waits, or for the one of the address. */
export function Kinds({ counts, mode, selected }: KindsProps) {
  const shown = counts.filter(({ kind }) => selected === undefined || kind === selected);
  return (
    <>
      {(counts.length > 1 || selected !== undefined) && <KindFilter {...{ counts, mode, selected }} />}
      {shown.map((count) => (
        <KindSection key={`${mode} ${count.kind}`} {...count} />
      ))}
      {selected !== undefined && shown.length === 0 && (
        <p>No event waits as “{wordFor(waitingWords, selected)}” any more.</p>
      )}
    </>
  );
}

function KindFilter({ counts, mode, selected }: KindsProps) {
  const address = (kind: WaitingKind | undefined) =>
    withQuery('/console/waiting', { mode: mode === 'live' ? undefined : mode, kind });
  return (
    <nav class="chips" aria-label="Kinds of what waits">
      <a class="chip" href={href.waiting(mode)} aria-current={selected === undefined ? 'true' : undefined}>
        Everything <span class="count">{totalOf(counts)}</span>
      </a>
      {counts.map(({ kind, count }) => (
        <a key={kind} class="chip" href={address(kind)} aria-current={selected === kind ? 'true' : undefined}>
          {wordFor(waitingWords, kind)} <span class="count">{count}</span>
        </a>
      ))}
    </nav>
  );
}
