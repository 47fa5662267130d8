import type { Meaning } from './assumptions.ts';

/*
 * What a person reads about money, in one place: the sentence of an event, of a transaction, and the amount
 * of an order. Amounts stay as the payment service wrote them, so that a caller makes the text printable.
 */

export interface Money {
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Such as `75.00 USD`; `undefined` without an amount, and from a stack that does not list it yet. */
export const moneyText = ({ amount, currency }: Money): string | undefined =>
  amount == null ? undefined : [amount, currency ?? ''].join(' ').trim();

export interface EventMoney extends Money {
  /** `null` for a body that is no event. */
  readonly event_name: string | null;
  readonly meaning: Meaning | null;
}

const nouns: Readonly<Partial<Record<Meaning, string>>> = {
  paid: 'payment',
  refunded: 'refund',
  failed: 'failed payment',
  disputed: 'dispute',
};

/** Such as `payment of 75.00 USD`. An event that moves no money is called by its name. */
export function eventText({ event_name, meaning, ...money }: EventMoney): string {
  const noun = meaning == null ? undefined : nouns[meaning];
  const text = moneyText(money);
  if (text !== undefined) return `${noun ?? event_name ?? 'event'} of ${text}`;
  return noun === undefined ? (event_name ?? 'body that is no event') : `${noun} without an amount`;
}

/** Such as `Payment of 75.00 USD`; the name of an event stays as it is. */
export function eventTitle(event: EventMoney): string {
  const text = eventText(event);
  return event.event_name !== null && text.startsWith(event.event_name) ? text : capitalised(text);
}

/** With a capital letter, as at the beginning of a sentence. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A `Transaction`; the console's page cannot import what that is made of. */
interface Moved extends Money {
  readonly status: 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded';
  readonly returned: string | null;
}

/** A full refund has the amount of its payment, if that is known. */
const isWithoutPayment = ({ status, amount }: Moved): boolean => status === 'refunded' && amount === null;

/** Such as `payment of 80.00 EUR, 30.00 returned`. */
export function transactionText(transaction: Moved): string {
  const { status, returned: amount, currency } = transaction;
  const event = { ...transaction, event_name: null };
  if (isWithoutPayment(transaction)) {
    const sum = moneyText({ amount, currency });
    return `refund${sum === undefined ? '' : ` of ${sum}`}; its payment is unknown`;
  }
  if (status === 'failed') return eventText({ ...event, meaning: 'failed' });
  if (status === 'pending') return 'no payment so far';
  return `${eventText({ ...event, meaning: 'paid' })}${returnedText(transaction)}`;
}

function returnedText({ status, amount, returned, currency }: Moved): string {
  if (status === 'paid') return '';
  // The amount before it has the currency.
  if (returned !== null)
    return `, ${amount === null ? moneyText({ amount: returned, currency }) : returned} returned`;
  return status === 'refunded' ? ', all returned' : ', a part returned';
}

const shownMax = 2;

/**
 * The amount of an order: what it holds, or else what it held, such as `80.00 EUR, 30.00 returned`. A failed
 * payment is no money. Several amounts are not added up: they may be a double charge. `null` without any.
 */
export function orderMoney(transactions: readonly Moved[]): string | null {
  const isHeld = ({ status }: Moved): boolean => status === 'paid' || status === 'partially_refunded';
  const counts = transactions.some(isHeld)
    ? transactions.filter((one) => isHeld(one) || isWithoutPayment(one))
    : transactions.filter(({ status }) => status === 'refunded');
  const texts = [...Map.groupBy(counts.map(sumText), (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${length} × ${text}`,
  );
  const more = texts.length > shownMax ? `; ${texts.length - shownMax} more` : '';
  return texts.length === 0 ? null : `${texts.slice(0, shownMax).join('; ')}${more}`;
}

function sumText(transaction: Moved): string {
  const { returned: amount, currency } = transaction;
  if (isWithoutPayment(transaction))
    return amount === null ? 'a refund' : `${moneyText({ amount, currency })} returned`;
  return `${moneyText(transaction) ?? 'no amount'}${returnedText(transaction)}`;
}
