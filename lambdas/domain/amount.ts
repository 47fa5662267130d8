import Big from 'big.js';
import { amountDigitsMax, amountsKnownMax } from '../contract/limits.ts';

/** An exact decimal above zero. Amounts are never floats: 0.1 + 0.2 would not be 0.3. */
export type Amount = Big;

const decimal = new RegExp(`^\\d{1,${amountDigitsMax}}(\\.\\d{1,${amountDigitsMax}})?$`);

/** By its text: the states of an order after its events compare each amount many times. */
const known = new Map<string, Amount | undefined>();

/**
 * The amount in a "string holding a number" (API document 2.3); `undefined` for any other text, and for an
 * amount that is not above zero: no money moves by it. Exponents are refused: "1e1000000" would fill the
 * memory.
 */
export function parseAmount(text: string | null): Amount | undefined {
  if (text === null) return undefined;
  if (!known.has(text)) {
    if (known.size === amountsKnownMax) known.clear();
    const amount = decimal.test(text) ? new Big(text) : undefined;
    known.set(text, amount?.gt(0) ? amount : undefined);
  }
  return known.get(text);
}

export const sumOf = (amounts: readonly Amount[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));

/** Readable amounts first, largest first; 0 when neither is readable or both are equal. */
export function byLargestAmount(a: string | null, b: string | null): number {
  const [left, right] = [parseAmount(a), parseAmount(b)];
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  return right.cmp(left);
}
