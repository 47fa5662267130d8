import list from './prices.json' with { type: 'json' };

export type PriceName = keyof typeof list;

/** A billed unit at a price of us-east-1, first tier, as its source gives it: often for a million of them. */
interface Price {
  readonly dollars: number;
  readonly per?: number;
  readonly unit: string;
  readonly source: string;
}
export const prices: Readonly<Record<PriceName, Price>> = list;

/** What a quantity costs that is billed at the sum of these prices. */
export const cost = (quantity: number, ...names: readonly PriceName[]): number =>
  names.reduce((sum, name) => sum + (quantity * prices[name].dollars) / (prices[name].per ?? 1), 0);

export const hoursPerMonth = 730;
export const secondsPerMonth = hoursPerMonth * 3600;
