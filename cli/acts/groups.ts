/** How many changes a plan lists, before it counts those that are alike. */
const listedMax = 20;

interface Grouping<Change> {
  /** Such as `orders`. */
  readonly what: string;
  /** Such as `keep their state`: these are never listed among many. */
  readonly unchangedOf?: (change: Change) => string | undefined;
  /** Such as `pending -> paid`. */
  readonly kindOf: (change: Change) => string;
  readonly isVerbose: boolean;
}

/** The changes to list, and a line for each group of the others. */
export function grouped<Change>(
  changes: readonly Change[],
  { what, unchangedOf = () => undefined, kindOf, isVerbose }: Grouping<Change>,
): { readonly listed: readonly Change[]; readonly lines: readonly string[] } {
  if (isVerbose || changes.length <= listedMax) return { listed: changes, lines: [] };
  const changed = changes.filter((change) => unchangedOf(change) === undefined);
  const others = [
    ...changed.slice(listedMax).map((change) => `more ${what}: ${kindOf(change)}`),
    ...changes.flatMap((change) => {
      const unchanged = unchangedOf(change);
      return unchanged === undefined ? [] : [`${what} ${unchanged}`];
    }),
  ];
  const lines = [...Map.groupBy(others, (line) => line)].map(
    ([line, { length }]) => `${length.toLocaleString('en')} ${line}`,
  );
  return { listed: changed.slice(0, listedMax), lines: [...lines, '--verbose lists them.'] };
}
