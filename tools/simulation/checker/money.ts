import type { Meaning } from './meanings.ts';
import type { SignedEvent } from './signed-body.ts';

export const statuses = ['pending', 'failed', 'paid', 'partially_refunded', 'refunded'] as const;
export type Status = (typeof statuses)[number];

export const meaningOf = ({ meaning }: SignedEvent): Meaning => meaning ?? 'history';
/** Money moved, or failed to. */
export const movesMoney = (event: SignedEvent): boolean =>
  ['refunded', 'paid', 'failed'].includes(meaningOf(event));
/** Without an order, such an event waits for one. */
export const isAboutMoney = (event: SignedEvent): boolean => meaningOf(event) !== 'history';

/** Every amount that A24 takes for one has at most 30 digits after the point: whole units of 10^-30. */
export function amountOf({ amount }: SignedEvent): bigint | undefined {
  const [whole, fraction = '', ...more] = (amount ?? '').split('.');
  if (whole === undefined || more.length > 0 || amount?.endsWith('.')) return undefined;
  if (!/^[0-9]{1,30}$/.test(whole) || !/^[0-9]{0,30}$/.test(fraction)) return undefined;
  const units = BigInt(whole) * 10n ** 30n + BigInt(fraction.padEnd(30, '0'));
  return units > 0n ? units : undefined;
}

/** The larger amount first, one that cannot be read last. */
export function byAmount(a: SignedEvent, b: SignedEvent): number {
  const [left, right] = [amountOf(a) ?? 0n, amountOf(b) ?? 0n];
  return left === right ? 0 : left > right ? -1 : 1;
}

/** A3: case does not matter, and an event without a currency has that of its transaction. */
export const currenciesOf = (events: readonly SignedEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap(({ currency }) => currency?.toUpperCase() ?? []));

/**
 * What counts of an event, as the row of its order holds it; with how it came there, if by its transaction.
 */
export const factText = (event: SignedEvent): string =>
  JSON.stringify([
    ...[meaningOf(event), event.id, event.name],
    ...[event.transactionId, event.amount, event.currency, event.createdAt],
    ...(event.orderId === null && event.transactionId !== null ? ['transaction'] : []),
  ]);
