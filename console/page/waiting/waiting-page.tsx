import type { Mode, WaitingCount, WaitingCounts, WaitingKind } from '@payhooks/order-client';
import { waitingKinds } from '../../contract/texts.ts';
import type { ConsoleStatus } from '../../contract.ts';
import { useFilters, useMode } from '../data/address.ts';
import { withQuery } from '../data/api.ts';
import { href } from '../data/href.ts';
import { useApi } from '../data/use-api.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Failure, Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { counted } from '../parts/texts.ts';
import { waitingWords, wordFor } from '../parts/words.ts';
import { DeadLettersSection } from './dead-letters.tsx';
import { AttentionSection, FeedFailuresSection, KindSection, kindOf, useAttention } from './sections.tsx';

/** Everything that waits for a person, and what a person can do about it. */
export function WaitingPage() {
  const mode = useMode();
  const kind = kindOf(useFilters().filters['kind']);
  const counts = useApi<WaitingCounts>('/operations/waiting/counts');
  const status = useApi<ConsoleStatus>('/console/api/status');
  const attention = useAttention(mode);
  const { dead_letters: deadLetters = 0, feed_failures: feedFailures = 0 } = status.data?.queues ?? {};
  const orders = attention.data?.reduce((sum, page) => sum + page.orders.length, 0) ?? 0;
  const kinds = countsOf(counts.data, mode);
  const parts = [
    [totalOf(kinds), 'event waits for a decision', 'events wait for a decision'],
    [orders, 'order needs attention', 'orders need attention'],
    [deadLetters, 'event could not be recorded', 'events could not be recorded'],
    [feedFailures, 'change of orders could not be published', 'changes of orders could not be published'],
  ] as const;
  const texts = parts.flatMap(([count, one, many]) => (count === 0 ? [] : [counted(count, one, many)]));
  const lead = texts.length === 0 ? 'Nothing waits for a person.' : `${texts.join('; ')}.`;
  const isReading = counts.isPending || attention.isPending || status.isPending;
  const unknown = status.data?.unknown.find(({ part }) => part === 'queues');
  return (
    <Page title="Waiting room" lead={isReading ? 'Reading what waits.' : lead}>
      <Loaded query={counts}>{() => <Kinds counts={kinds} mode={mode} selected={kind} />}</Loaded>
      {kind === undefined && (
        <>
          <AttentionSection pages={attention} mode={mode} />
          {deadLetters > 0 && <DeadLettersSection count={deadLetters} />}
          {feedFailures > 0 && <FeedFailuresSection count={feedFailures} />}
          {unknown !== undefined && (
            <Callout
              tone="attention"
              title={unknown.not_allowed ? 'Not allowed: dead letters' : 'The queues are not known'}
            >
              <p>{unknown.message}</p>
            </Callout>
          )}
          {status.error !== null && <Failure error={status.error} retry={() => void status.refetch()} />}
          {!isReading && texts.length === 0 && counts.isSuccess && attention.isSuccess && (
            <Empty icon="check" title="Nothing to decide">
              Events that payhooks does not apply by itself, and orders to look at, will be listed here.
            </Empty>
          )}
        </>
      )}
    </Page>
  );
}

/** The kinds of which something waits in a mode; orders with attention have a section of their own. */
function countsOf(counts: WaitingCounts | undefined, mode: Mode): readonly WaitingCount[] {
  const rank = ({ kind }: WaitingCount): number => waitingKinds.indexOf(kind);
  return (counts?.counts ?? [])
    .filter((entry) => entry.mode === mode && entry.kind !== 'attention' && entry.count > 0)
    .toSorted((a, b) => rank(a) - rank(b));
}

const totalOf = (counts: readonly WaitingCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

interface KindsProps {
  readonly counts: readonly WaitingCount[];
  readonly mode: Mode;
  readonly selected: WaitingKind | undefined;
}

/** A section for each kind of which something waits, or for the one of the address. */
function Kinds({ counts, mode, selected }: KindsProps) {
  const shown = counts.filter(({ kind }) => selected === undefined || kind === selected);
  const chip = (kind: WaitingKind | undefined, words: string, count: number) => (
    <a
      class="chip"
      href={withQuery(href.waiting(mode), { kind })}
      aria-current={kind === selected ? 'true' : undefined}
    >
      {words} {count}
    </a>
  );
  return (
    <>
      {(counts.length > 1 || selected !== undefined) && (
        <nav class="row" aria-label="Kinds of what waits">
          {chip(undefined, 'Everything', totalOf(counts))}
          {counts.map(({ kind, count }) => chip(kind, wordFor(waitingWords, kind), count))}
        </nav>
      )}
      {shown.map((count) => (
        <KindSection key={`${mode} ${count.kind}`} {...count} />
      ))}
      {selected !== undefined && shown.length === 0 && (
        <p>No event waits as “{wordFor(waitingWords, selected)}” any more.</p>
      )}
    </>
  );
}
