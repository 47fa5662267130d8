import { correctionFact, factSha256, parseFact } from '../domain/fact.ts';

export interface Correcting {
  readonly eventId: string;
  /** The facts of the event that must count; all others under its id must not. */
  readonly expected: ReadonlySet<string>;
  /** Sets whose corrections may reach the order as well. */
  readonly related: readonly (readonly string[])[];
}

/**
 * The corrections that make exactly the expected facts of an event count in a set of facts. None is needed
 * where that is so already, so a repetition adds nothing. Throws UnreadableFactError.
 */
export function correctionsOf(
  facts: readonly string[],
  { eventId, expected, related }: Correcting,
): readonly string[] {
  const latest = new Map<string, number>();
  for (const text of [...facts, ...related.flat()]) {
    const fact = parseFact(text);
    if (fact.kind !== 'correction') continue;
    latest.set(fact.factSha256, Math.max(fact.n, latest.get(fact.factSha256) ?? 0));
  }
  const own = [...new Set([...facts, ...expected])].filter((text) => {
    const fact = parseFact(text);
    return fact.kind === 'event' && fact.eventId === eventId;
  });
  return own.flatMap((text) => {
    const n = latest.get(factSha256(text)) ?? 0;
    const counts = n % 2 === 0;
    return counts === expected.has(text) ? [] : [correctionFact(text, n + 1)];
  });
}
