import type {
  Mode,
  OrderList,
  WaitingCount,
  WaitingItem,
  WaitingKind,
  WaitingList,
} from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import { adviceOnNames, eventText, waitingSentences } from '../../contract/texts.ts';
import { EventButtons, OrderButtons, useCommand } from '../acts/buttons.tsx';
import { subjectOfItem } from '../acts/choices.ts';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { ReadOnRequest } from '../event/payload.tsx';
import { Code } from '../parts/code.tsx';
import { Section } from '../parts/page.tsx';
import { AttentionBadges, StatusPill, WaitingBadge } from '../parts/pills.tsx';
import { capitalised, titleOfEvent, visibleText } from '../parts/texts.ts';
import { Id, Labelled, Moment, OrderMoney } from '../parts/values.tsx';
import { reasonWords, wordFor } from '../parts/words.ts';
import { useChoice } from './choice.tsx';
import { Choices, Item, More } from './items.tsx';
import { type Pages, usePages } from './use-pages.ts';

/** A fragment that goes on after something else, as a sentence of its own. */
function asSentence(fragment: string): string {
  const text = capitalised(fragment);
  return text.endsWith('.') ? text : `${text}.`;
}

/** What waits for one reason: what that means, what each choice does to the money, and the events. */
export function KindSection({ kind, mode, count }: WaitingCount & { readonly kind: WaitingKind }) {
  const pages = usePages<WaitingList>('/operations/waiting', { kind, mode, limit: 20 });
  const items = (pages.data ?? []).flatMap(({ events }) => events);
  const { bar, boxOf } = useChoice({ kind, mode, count }, items);
  const { why, admit, dismiss } = waitingSentences[kind];
  return (
    <Section
      title={
        <>
          <WaitingBadge kind={kind} /> <span class="faint">{count}</span>
        </>
      }
      note={asSentence(why)}
    >
      <Choices
        texts={{
          ...(kind === 'event_name' ? { 'What to do': adviceOnNames } : { Apply: asSentence(admit) }),
          Dismiss: asSentence(dismiss),
        }}
      />
      {bar}
      <ul class="items">
        {items.map((item) => (
          <WaitingRow key={JSON.stringify(item)} item={item} mode={mode} box={boxOf(item)} />
        ))}
      </ul>
      <More pages={pages} />
    </Section>
  );
}

interface WaitingRowProps {
  readonly item: WaitingItem;
  readonly mode: Mode;
  /** Chooses it. */
  readonly box: ComponentChildren;
}

function WaitingRow({ item, mode, box }: WaitingRowProps) {
  const { event_id, event_name, order_id, transaction_id, body_sha256, reason, recorded_at } = item;
  return (
    <Item
      title={
        <>
          {box}
          {event_name !== null && <bdi class="strong clip">{titleOfEvent(item)}</bdi>}
          {event_id === null ? (
            <>
              <span class="faint" title="The SHA-256 of its bytes">
                body
              </span>
              <Id value={body_sha256} copy />
            </>
          ) : (
            <Id value={event_id} href={href.event(event_id, mode)} />
          )}
        </>
      }
      meta={
        <>
          <Moment at={recorded_at} />
          {reason !== null && <span>{wordFor(reasonWords, reason)}</span>}
          {item.event && (
            <span>the same id has a {visibleText(eventText({ event_name, ...item.event }))}</span>
          )}
          <Labelled kind="order" id={order_id} mode={mode} />
          <Labelled kind="transaction" id={transaction_id} mode={mode} />
        </>
      }
      buttons={<EventButtons subject={subjectOfItem(item, mode)} />}
    >
      {event_id === null && body_sha256 !== null && (
        <ReadOnRequest
          path={`/operations/bodies/${body_sha256}`}
          mode={mode}
          words="Show the bytes"
          label="the body"
        />
      )}
    </Item>
  );
}

/** The orders that list an attention; a resolved one is not listed. */
export const useAttention = (mode: Mode): Pages<OrderList> =>
  usePages<OrderList>('/orders', { attention: 'any', sort_order: 'desc', limit: 20, mode });

/** The orders that a person must look at, until an operator has resolved what they list. */
export function AttentionSection({ pages, mode }: { readonly pages: Pages<OrderList>; readonly mode: Mode }) {
  const orders = (pages.data ?? []).flatMap((page) => page.orders);
  if (orders.length === 0 && !pages.isPending && pages.error === null) return null;
  return (
    <Section title="Orders that need attention" note="The latest change first.">
      <Choices
        texts={{
          Resolve:
            'Clears the warning until something new arrives for the order. No money moves: settle it at ' +
            'the payment service first.',
        }}
      />
      <ul class="items">
        {orders.map((order) => (
          <Item
            key={order.order_id}
            title={
              <>
                <Id value={order.order_id} href={href.order(order.order_id, mode)} />
                <StatusPill status={order.status} />
                <AttentionBadges attention={order.attention} />
              </>
            }
            meta={
              <>
                <Moment at={order.updated_at} />
                <OrderMoney transactions={order.transactions} />
              </>
            }
            buttons={<OrderButtons order={order} />}
          />
        ))}
      </ul>
      <More pages={pages} />
    </Section>
  );
}

/** Changes of orders that the feed has skipped: the runbook has the way back. */
export function FeedFailuresSection({ count }: { readonly count: number }) {
  const command = useCommand();
  return (
    <Section title={`Could not be published (${count})`} note="Changes of orders of both modes.">
      <p>
        The order feed skipped them after 12 hours of attempts. The orders are right here; systems that follow
        the feed miss the change. Remove the cause, then publish the orders again from the time of the first
        one:
      </p>
      <Code
        text={command('payhooks replay --since TIME --publish')}
        label="the command that publishes again"
      />
      <p>
        <a href={href.alarm('FeedFailuresPresent', useMode())}>How to find the cause and the time</a>
      </p>
    </Section>
  );
}

/** The kind of an address, if it is one. */
export const kindOf = (text: string | undefined): WaitingKind | undefined =>
  text !== undefined && Object.hasOwn(waitingSentences, text) ? (text as WaitingKind) : undefined;
