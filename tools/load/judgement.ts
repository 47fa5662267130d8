/** How often the tables hold each event. */
export interface Recorded {
  /** Rows of the table `events` by event id. */
  readonly rows: ReadonlyMap<string, number>;
  /** Facts in the rows of orders by event id. */
  readonly facts: ReadonlyMap<string, number>;
}

export interface Judgement {
  /** Recorded, and counted in the event's order, exactly once. */
  readonly recordedOnce: number;
  /** Acknowledged, and absent from the table of events or from the event's order. */
  readonly lost: readonly string[];
  /** More than one row, or more than one fact. */
  readonly doubled: readonly string[];
  /** In the tables, and never sent. */
  readonly invented: readonly string[];
}

/** Compares what was acknowledged with what the tables hold once the queue is empty. */
export function judge(
  sent: ReadonlySet<string>,
  acknowledged: ReadonlySet<string>,
  { rows, facts }: Recorded,
): Judgement {
  const found = [...new Set([...rows.keys(), ...facts.keys()])];
  const times = (id: string): readonly number[] => [rows.get(id) ?? 0, facts.get(id) ?? 0];
  return {
    recordedOnce: found.filter((id) => times(id).every((count) => count === 1)).length,
    lost: [...acknowledged].filter((id) => times(id).includes(0)),
    doubled: found.filter((id) => times(id).some((count) => count > 1)),
    invented: found.filter((id) => !sent.has(id)),
  };
}

/** Why the run failed, a sentence for each reason; empty when it passed. */
export function faultsOf({ lost, doubled, invented }: Judgement): string[] {
  return [
    ...faultOf(lost, 'acknowledged and not recorded'),
    ...faultOf(doubled, 'recorded more than once'),
    ...faultOf(invented, 'recorded and never sent'),
  ];
}

function faultOf(ids: readonly string[], what: string): string[] {
  const [first] = ids;
  if (first === undefined) return [];
  return [`${ids.length} ${ids.length === 1 ? 'event is' : 'events are'} ${what}, for example ${first}.`];
}
