import type { Mode } from '@payhooks/order-client';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { orderMoney } from '../../contract/texts.ts';
import { href as addresses } from '../data/href.ts';
import { CopyButton } from './copy-button.tsx';
import { clockTime, durationText, exactTime, relativeTime, visibleText } from './texts.ts';

/** An amount exactly as the payment service wrote it. */
export function Money(props: {
  readonly amount: string | null | undefined;
  readonly currency: string | null | undefined;
}) {
  const { amount, currency } = props;
  if (amount === null || amount === undefined) return <span class="faint">—</span>;
  return (
    <span class="money" title={visibleText(`${amount} ${currency ?? ''}`.trimEnd())}>
      <span class="money-amount">{visibleText(amount)}</span>
      {currency !== null && currency !== undefined && (
        <span class="money-currency"> {visibleText(currency)}</span>
      )}
    </span>
  );
}

/** The amount of an order: what it holds, and what went back. It is never cut; it may take two lines. */
export function OrderMoney({ transactions }: { readonly transactions: Parameters<typeof orderMoney>[0] }) {
  const text = orderMoney(transactions);
  if (text === null) return <span class="faint">—</span>;
  return (
    <span class="money-lines">
      {visibleText(text)
        .split(/(?<=[,;]) /)
        .map((part, n) => (
          // The line may break at the space.
          <Fragment key={n}>
            <span class="money">{part}</span>{' '}
          </Fragment>
        ))}
    </span>
  );
}

const ticks = new Set<() => void>();
const tickMilliseconds = 5_000;
let ticking: ReturnType<typeof setInterval> | undefined;

/** The time now, again every five seconds: one timer for all moments on the page. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const tick = (): void => setNow(Date.now());
    ticks.add(tick);
    ticking ??= setInterval(() => {
      for (const each of ticks) each();
    }, tickMilliseconds);
    return () => {
      ticks.delete(tick);
      if (ticks.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, []);
  return now;
}

/** A time, relative to now, or the clock's with `precise`; the title has all of it. */
export function Moment(props: { readonly at: string | null | undefined; readonly precise?: boolean }) {
  const now = useNow();
  const at = Date.parse(props.at ?? '');
  if (Number.isNaN(at)) return <span class="faint">—</span>;
  return (
    <time class="moment" dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {props.precise === true ? clockTime(at, now) : relativeTime(at, now)}
    </time>
  );
}

export function Duration({ milliseconds }: { readonly milliseconds: number | null | undefined }) {
  if (milliseconds === null || milliseconds === undefined) return <span class="faint">—</span>;
  return <span class="duration">{durationText(milliseconds)}</span>;
}

export interface IdProps {
  readonly value: string | null | undefined;
  readonly href?: string | undefined;
  /** A button that copies the id, with its invisible characters. */
  readonly copy?: boolean;
}

/** An id: never broken or wrapped; what does not fit ends in an ellipsis. */
export function Id({ value, href, copy = false }: IdProps) {
  if (value === null || value === undefined) return <span class="faint">—</span>;
  const text = visibleText(value);
  return (
    <span class="id">
      {href === undefined ? (
        <bdi class="id-text" title={text}>
          {text}
        </bdi>
      ) : (
        <a class="id-text" href={href} title={text}>
          <bdi>{text}</bdi>
        </a>
      )}
      {copy && <CopyButton text={value} label={`Copy ${text}`} />}
    </span>
  );
}

interface LabelledProps {
  readonly kind: 'order' | 'event' | 'transaction';
  /** Nothing is shown for none. */
  readonly id: string | null;
  readonly mode: Mode;
  readonly copy?: boolean;
}

/** An id that leads to its page, after what it is of. */
export function Labelled({ kind, id, mode, copy = false }: LabelledProps) {
  if (id === null) return null;
  return (
    <span class="labelled">
      <span class="faint">{kind}</span> <Id value={id} href={addresses[kind](id, mode)} copy={copy} />
    </span>
  );
}

/** A sentence that may name ids: an id stands on one line, with an ellipsis if that is too short. */
export function Sentence({ text }: { readonly text: string }) {
  return text.split(/( )/).map((word, place) =>
    /\w-\w|.{24}/u.test(word) ? (
      <bdi key={place} class="unbroken" title={word}>
        {word}
      </bdi>
    ) : (
      word
    ),
  );
}
