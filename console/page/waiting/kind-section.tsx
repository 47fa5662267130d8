import type { Mode, WaitingCount, WaitingItem, WaitingKind, WaitingList } from '@payhooks/order-client';
import { adviceOnNames, waitingSentences } from '../../../lambdas/contract/waiting-sentences.ts';
import { subjectOfItem } from '../acts/choices.ts';
import { EventButtons } from '../acts/event-buttons.tsx';
import { href } from '../data/href.ts';
import { Section } from '../parts/page.tsx';
import { WaitingBadge } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment } from '../parts/values.tsx';
import { reasonWords, wordFor } from '../parts/words.ts';
import { More } from './more.tsx';
import { asSentence } from './room.ts';
import { UnrecognisedBody } from './unrecognised-body.tsx';
import { usePages } from './use-pages.ts';

/** What waits for one reason: what that means, what each choice does to the money, and the events. */
export function KindSection({ kind, mode, count }: WaitingCount) {
  const pages = usePages<WaitingList>('/operations/waiting', { kind, mode, limit: 20 });
  const items = (pages.data ?? []).flatMap(({ events }) => events);
  return (
    <Section
      title={
        <>
          <WaitingBadge kind={kind} /> <span class="count">{count}</span>
        </>
      }
      note={asSentence(waitingSentences[kind].why)}
    >
      <Choices kind={kind} />
      <ul class="waiting-items">
        {items.map((item) => (
          <li key={keyOf(item)} class="waiting-item">
            <What item={item} mode={mode} />
            <EventButtons subject={subjectOfItem(item, mode)} />
          </li>
        ))}
      </ul>
      <More pages={pages} what="events" />
    </Section>
  );
}

const keyOf = ({ event_id, body_sha256, event_name }: WaitingItem): string =>
  JSON.stringify([event_id, body_sha256, event_name]);

function Choices({ kind }: { readonly kind: WaitingKind }) {
  const { admit, dismiss } = waitingSentences[kind];
  return (
    <dl class="choices">
      <dt>{kind === 'event_name' ? 'What to do' : 'Admit'}</dt>
      <dd>{kind === 'event_name' ? adviceOnNames : asSentence(admit)}</dd>
      <dt>Dismiss</dt>
      <dd>{asSentence(dismiss)}</dd>
    </dl>
  );
}

function What({ item, mode }: { readonly item: WaitingItem; readonly mode: Mode }) {
  const { event_id, event_name, order_id, transaction_id, body_sha256, reason, recorded_at } = item;
  return (
    <div class="waiting-what">
      <div class="waiting-title">
        {event_name !== null && <bdi class="waiting-name">{visibleText(event_name)}</bdi>}
        {event_id === null ? (
          <span class="labelled">
            <span class="faint" title="The SHA-256 of its bytes">
              body
            </span>{' '}
            <Id value={body_sha256} copy />
          </span>
        ) : (
          <Id value={event_id} href={href.event(event_id, mode)} />
        )}
      </div>
      <div class="waiting-meta">
        <Moment at={recorded_at} />
        {reason !== null && <span>{wordFor(reasonWords, reason)}</span>}
        {order_id !== null && <Labelled label="order" id={order_id} target={href.order(order_id, mode)} />}
        {transaction_id !== null && (
          <Labelled label="transaction" id={transaction_id} target={href.transaction(transaction_id, mode)} />
        )}
      </div>
      {event_id === null && body_sha256 !== null && <UnrecognisedBody bodySha256={body_sha256} mode={mode} />}
    </div>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly id: string;
  readonly target: string;
}

function Labelled({ label, id, target }: LabelledProps) {
  return (
    <span class="labelled">
      {label} <Id value={id} href={target} />
    </span>
  );
}
