/** How often a table holds each event. */
export type Counts = ReadonlyMap<string, number>;

export const countsOf = (ids: readonly string[]): Counts =>
  new Map([...Map.groupBy(ids, (id) => id)].map(([id, found]) => [id, found.length]));

/** What the tables hold once the queue is empty: rows of events, and facts of orders. */
export interface Recorded {
  readonly rows: Counts;
  readonly facts: Counts;
}

/** Compares what was acknowledged with what is recorded: a sentence for each way in which they differ. */
export function faultsOf(sent: ReadonlySet<string>, acknowledged: ReadonlySet<string>, recorded: Recorded) {
  const times = (id: string) => [recorded.rows.get(id) ?? 0, recorded.facts.get(id) ?? 0];
  const found = [...new Set([...recorded.rows.keys(), ...recorded.facts.keys()])];
  const faults = {
    'acknowledged and not recorded': [...acknowledged].filter((id) => times(id).includes(0)),
    'recorded more than once': found.filter((id) => Math.max(...times(id)) > 1),
    'recorded and never sent': found.filter((id) => !sent.has(id)),
  };
  return Object.entries(faults).flatMap(([what, [first, ...others]]) =>
    first === undefined ? [] : [`Events ${what}: ${others.length + 1}, for example ${first}.`],
  );
}
