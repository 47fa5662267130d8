/** The pairs of neighbouring letters, without case. */
const pairsOf = (name: string): ReadonlySet<string> =>
  new Set(Array.from(name.toLowerCase().slice(1), (letter, index) => name[index]?.toLowerCase() + letter));

/** How much of two names is equal, from 0 to 1 (Dice's coefficient). */
function similarity(given: string, known: string): number {
  const [left, right] = [pairsOf(given), pairsOf(known)];
  const shared = [...left].filter((pair) => right.has(pair));
  return (2 * shared.length) / (left.size + right.size);
}

/** The known name that a misspelled one was probably meant to be. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const isSimilar = (name: string): boolean => similarity(given, name) >= 0.5;
  return known
    .filter(isSimilar)
    .toSorted((one, other) => similarity(given, other) - similarity(given, one))
    .at(0);
}
