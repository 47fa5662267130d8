import Big from 'big.js';
import { amountDigitsMax } from '../contract/limits.ts';

/** An exact decimal. Amounts are never floats: 0.1 + 0.2 would not be 0.3. */
export type Amount = Big;

const decimal = new RegExp(`^-?\\d{1,${amountDigitsMax}}(\\.\\d{1,${amountDigitsMax}})?$`);

/**
 * The amount in a "string holding a number" (API document 2.3); `undefined` for any other text. Exponents are
 * refused: "1e1000000" would fill the memory.
 */
export function parseAmount(text: string | null): Amount | undefined {
  return text !== null && decimal.test(text) ? new Big(text) : undefined;
}
