import Big from 'big.js';
import { amountDigitsMax } from '../contract/limits.ts';

/** An exact decimal. Amounts are never floats: 0.1 + 0.2 is money that nobody paid. */
export type Amount = Big;

const decimal = new RegExp(`^-?\\d{1,${amountDigitsMax}}(\\.\\d{1,${amountDigitsMax}})?$`);

/**
 * The amount in a "string holding a number" (API document 2.3), or `undefined` when it is none. Exponents are
 * not amounts: "1e1000000" would fill the memory.
 */
export function parseAmount(text: string | null): Amount | undefined {
  return text !== null && decimal.test(text) ? new Big(text) : undefined;
}
