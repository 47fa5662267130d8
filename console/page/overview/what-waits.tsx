import type { Attention, Mode, WaitingCount } from '@payhooks/order-client';
import { withQuery } from '../data/api.ts';
import { href } from '../data/href.ts';
import { Section } from '../parts/page.tsx';
import { AttentionBadges, ModeTag, WaitingBadge } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';
import { attentionWords, waitingWords, wordFor } from '../parts/words.ts';

const anyAttention = { attention: 'any' };

interface CountsProps {
  readonly counts: readonly WaitingCount[];
  readonly mode: Mode;
}

/** How many orders need attention, by kind; each kind leads to its orders. */
export const OrdersWithAttention = ({ counts, mode }: CountsProps) => (
  <Section title="Orders that need attention" actions={<a href={href.orders(mode, anyAttention)}>All</a>}>
    <ul class="items">
      {counts.flatMap(({ mode: itsMode, attention = {} }) =>
        Object.entries(attention)
          .toSorted(([, a], [, b]) => b - a)
          .map(([name, count]) => (
            <li key={`${itsMode} ${name}`} class="row">
              <AttentionBadges attention={[name as Attention]} />
              {itsMode !== mode && <ModeTag mode={itsMode} />}
              <a
                class="button small push"
                href={href.orders(itsMode, { attention: name })}
                aria-label={`Show ${counted(count, `${itsMode} order`)}: ${wordFor(attentionWords, name)}`}
              >
                Show {count}
              </a>
            </li>
          )),
      )}
    </ul>
  </Section>
);

/** The events and acts that wait for a decision, by kind. */
export const WhatWaits = ({ counts, mode }: CountsProps) => (
  <Section title="Waits for a decision" actions={<a href={href.waiting(mode)}>Waiting room</a>}>
    {counts.length === 0 && <p class="muted">Nothing waits for a decision.</p>}
    <ul class="items">
      {counts.map(({ mode: itsMode, kind, count, oldest_recorded_at: oldest }) => (
        <li key={`${itsMode} ${kind}`} class="row">
          <WaitingBadge kind={kind} />
          {itsMode !== mode && <ModeTag mode={itsMode} />}
          <span class="small muted">{oldest !== null && <Moment at={oldest} />}</span>
          <a
            class="button small push"
            href={kind === 'approval' ? href.approvals(itsMode) : withQuery(href.waiting(itsMode), { kind })}
            aria-label={`Decide ${counted(count, `${itsMode} item`)}: ${wordFor(waitingWords, kind)}`}
          >
            Decide {count}
          </a>
        </li>
      ))}
    </ul>
  </Section>
);
