/** What an event name means (docs/assumptions.md, A1). The order is that of A22: the first counts. */
export const meanings = ['refunded', 'paid', 'failed', 'disputed', 'history'] as const;
export type Meaning = (typeof meanings)[number];

/** Meanings that a setting adds to the built-in ones, or puts in their place. */
export type Meanings = Readonly<Record<string, string>>;

const builtInMeanings: Meanings = {
  'transaction.refunded': 'refunded',
  'transaction.paid': 'paid',
  'transaction.failed': 'failed',
  'transaction.disputed': 'disputed',
  'transaction.charged_back': 'disputed',
};

/** `undefined` for a name that has none: a person looks at the first event of each. */
export function meaningOfName(name: string, configured: Meanings): Meaning | undefined {
  const found = new Map(Object.entries({ ...builtInMeanings, ...configured })).get(name);
  return meanings.find((meaning) => meaning === found);
}
