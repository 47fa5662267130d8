import type { WaitingCounts } from '@payhooks/order-client';
import type { ConsoleStatus } from '../../contract.ts';
import { useFilters } from '../data/filters.ts';
import { useMode } from '../data/mode.ts';
import { useApi } from '../data/use-api.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Failure, Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useNow } from '../parts/values.tsx';
import { AttentionSection } from './attention-section.tsx';
import { DeadLettersSection } from './dead-letters.tsx';
import { FeedFailuresSection } from './feed-failures.tsx';
import { Kinds } from './kinds.tsx';
import { kindOf, leadOf, totalOf, waitingCounts } from './room.ts';
import { useAttention } from './use-attention.ts';

/** Everything that waits for a person, and what a person can do about it. */
export function WaitingPage() {
  const mode = useMode();
  const now = useNow();
  const kind = kindOf(useFilters().filters['kind']);
  const counts = useApi<WaitingCounts>('/operations/waiting/counts');
  const status = useApi<ConsoleStatus>('/console/api/status');
  const attention = useAttention(mode);
  const { dead_letters: deadLetters = 0, feed_failures: feedFailures = 0 } = status.data?.queues ?? {};
  const orders = attention.data?.reduce((sum, page) => sum + page.orders.length, 0) ?? 0;
  const waiting = counts.data && totalOf(waitingCounts(counts.data.counts, mode));
  const isEmpty = waiting === 0 && attention.isSuccess && orders + deadLetters + feedFailures === 0;
  const found = {
    ...{ mode, counts: counts.data?.counts ?? [], deadLetters, feedFailures },
    attention: { orders, hasMore: attention.hasNextPage },
  };
  const isReading = counts.isPending || attention.isPending || status.isPending;
  return (
    <Page title="Waiting room" lead={isReading ? 'Reading what waits.' : leadOf(found, now)}>
      <Loaded query={counts}>
        {(data) => <Kinds counts={waitingCounts(data.counts, mode)} mode={mode} selected={kind} />}
      </Loaded>
      {kind === undefined && (
        <>
          <AttentionSection pages={attention} mode={mode} />
          {deadLetters > 0 && <DeadLettersSection count={deadLetters} />}
          {feedFailures > 0 && <FeedFailuresSection count={feedFailures} />}
          <UnknownQueues status={status.data} />
          {status.error !== null && <Failure error={status.error} retry={() => void status.refetch()} />}
          {isEmpty && (
            <Empty icon="check" title="Nothing to decide">
              <p>
                Events that payhooks does not apply by itself, and orders to look at, will be listed here.
              </p>
            </Empty>
          )}
        </>
      )}
    </Page>
  );
}

/** Without a permission on the queues, the rest of the page works. */
function UnknownQueues({ status }: { readonly status: ConsoleStatus | undefined }) {
  const unknown = status?.queues === null && status.unknown.find(({ part }) => part === 'queues');
  if (!unknown) return null;
  return (
    <Callout
      tone="attention"
      title={unknown.not_allowed ? 'Not allowed: dead letters and feed failures' : 'The queues are not known'}
    >
      <p>{unknown.message}</p>
    </Callout>
  );
}
