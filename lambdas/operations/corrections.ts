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
  const [held, all] = [latestCorrections(facts), latestCorrections([...facts, ...related.flat()])];
  const own = [...new Set([...facts, ...expected])].filter((text) => {
    const fact = parseFact(text);
    return fact.kind === 'event' && fact.eventId === eventId;
  });
  return own.flatMap((text) => {
    const isRight = (n: number) => (n % 2 === 0) === expected.has(text);
    const latest = all.get(factSha256(text)) ?? 0;
    if (isRight(held.get(factSha256(text)) ?? 0) && isRight(latest)) return [];
    // One that only a related set has may be on its way here, or be lost to a crash.
    return [correctionFact(text, isRight(latest) ? latest : latest + 1)];
  });
}

/** The corrections in a set of facts; with `of`, those of its facts only. */
export function correctionsAmong(facts: readonly string[], of?: ReadonlySet<string>): readonly string[] {
  const corrected = of && new Set([...of].map(factSha256));
  return facts.filter((text) => {
    const fact = parseFact(text);
    return fact.kind === 'correction' && (corrected?.has(fact.factSha256) ?? true);
  });
}

/** By the SHA-256 of the fact. */
function latestCorrections(facts: readonly string[]): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const text of facts) {
    const fact = parseFact(text);
    if (fact.kind !== 'correction') continue;
    latest.set(fact.factSha256, Math.max(fact.n, latest.get(fact.factSha256) ?? 0));
  }
  return latest;
}
