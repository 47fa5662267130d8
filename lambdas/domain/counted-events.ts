import { byLargestAmount } from './amount.ts';
import type { Meaning, MeaningOf } from './assumptions.ts';
import { type EventFact, eventFact, type Fact, factSha256, parseFact, type ResolvedFact } from './fact.ts';

/** What the facts of an order mean, with one event for each event id. */
export interface CountedEvents {
  /** By event id. */
  readonly events: readonly EventFact[];
  /** The ids under which another body arrived. */
  readonly contested: ReadonlySet<string>;
  /** The ids of transactions of the order that were paid in another order as well. */
  readonly shared: readonly string[];
  readonly full: boolean;
  /** By operators, current or not. */
  readonly resolutions: readonly ResolvedFact[];
}

/** Later counts before earlier: an event never hides one that took the order further. */
const ranks: readonly Meaning[] = ['history', 'disputed', 'failed', 'paid', 'refunded'];

/**
 * Reads a set of facts. An event that a correction has replaced does not count and contests nothing. Of
 * several other events under one id, the one counts whose meaning takes an order furthest,
 * then the one with the largest amount, then the first as text: content decides, and not the time of arrival.
 * Throws UnreadableFactError.
 */
export const countEvents = (facts: Iterable<string>, meaningOf: MeaningOf): CountedEvents =>
  countCurrent(currentFacts(facts), meaningOf);

/** The facts that no correction has replaced, by text. Throws UnreadableFactError. */
export function currentFacts(facts: Iterable<string>): ReadonlyMap<string, Fact> {
  const parsed = [...new Set(facts)].sort().map((text) => [text, parseFact(text)] as const);
  const replaced = replacedFacts(parsed.map(([, fact]) => fact));
  if (replaced.size === 0) return new Map(parsed);
  return new Map(parsed.filter(([text, { kind }]) => kind !== 'event' || !replaced.has(factSha256(text))));
}

/** What facts mean of which none is replaced, in the order of their texts. */
export function countCurrent(current: ReadonlyMap<string, Fact>, meaningOf: MeaningOf): CountedEvents {
  const parsed = [...current.values()];
  const rankOf = ({ eventName }: EventFact): number => ranks.indexOf(meaningOf(eventName) ?? 'history');
  const outranks = (a: EventFact, b: EventFact): boolean =>
    (rankOf(a) - rankOf(b) || byLargestAmount(b.amount, a.amount)) > 0;
  const events = new Map<string, EventFact>();
  const contested = new Set<string>();
  for (const fact of parsed) {
    if (fact.kind === 'conflict') contested.add(fact.eventId);
    if (fact.kind !== 'event') continue;
    const other = events.get(fact.eventId);
    if (other !== undefined) contested.add(fact.eventId);
    if (other === undefined || outranks(fact, other)) events.set(fact.eventId, fact);
  }
  return {
    events: [...events.values()].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)),
    contested,
    shared: parsed.flatMap((fact) => (fact.kind === 'shared' ? [fact.transactionId] : [])),
    full: parsed.some(({ kind }) => kind === 'full'),
    resolutions: parsed.filter((fact): fact is ResolvedFact => fact.kind === 'resolved'),
  };
}

/** The texts of the facts that count, by event id. Throws UnreadableFactError. */
export const countedFacts = (facts: Iterable<string>, meaningOf: MeaningOf): ReadonlyMap<string, string> =>
  new Map(
    countEvents(facts, meaningOf).events.map(({ eventId, eventName, transactionId, ...amounts }) => {
      const transaction = { ...amounts, id: transactionId, idInvalid: false };
      return [eventId, eventFact({ id: eventId, eventName, transaction })];
    }),
  );

/** The SHA-256 of the facts whose latest correction is odd. */
function replacedFacts(parsed: readonly Fact[]): ReadonlySet<string> {
  const latest = new Map<string, number>();
  for (const fact of parsed) {
    if (fact.kind === 'correction')
      latest.set(fact.factSha256, Math.max(fact.n, latest.get(fact.factSha256) ?? 0));
  }
  return new Set([...latest].filter(([, n]) => n % 2 === 1).map(([sha256]) => sha256));
}
