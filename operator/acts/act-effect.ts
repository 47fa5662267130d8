/** What an act does, as text to compare: without the counters that other facts move. */
export const effectOf = ({ events, orders }: Effect): string =>
  JSON.stringify([events, orders], (name, value: unknown) => (name === 'sequence' ? undefined : value));

interface Effect {
  readonly events: readonly unknown[];
  readonly orders: readonly unknown[];
}
