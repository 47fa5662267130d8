import type { Mode, WaitingCount } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { ModeTag, WaitingBadge } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';

/** What waits for a person, by kind: how much, and since when the oldest. */
export function WaitingKinds({ waiting }: { readonly waiting: readonly WaitingCount[] }) {
  if (waiting.length === 0) return <p class="muted">Nothing waits for a person.</p>;
  return (
    <ul class="waiting-kinds">
      {waiting.map(({ mode, kind, count, oldest_recorded_at: oldest }) => (
        <li key={`${mode} ${kind}`}>
          <a class="waiting-kind" href={waitingHref(mode)}>
            <WaitingBadge kind={kind} />
            <span class="waiting-kind-count">{counted(count, 'item')}</span>
            <ModeTag mode={mode} />
            {oldest !== null && (
              <span class="muted">
                oldest <Moment at={oldest} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

const waitingHref = (mode: Mode): string => href.waiting(mode);
