import { byLargestAmount } from './amount.ts';
import type { Meaning } from './assumptions.ts';
import { type EventFact, type Fact, parseFact, type ResolvedFact } from './fact.ts';

/** What the facts of an order mean, with one event for each event id. */
export interface CountedEvents {
  /** By event id. */
  readonly events: readonly EventFact[];
  /** The fact of each of these events, by event id. */
  readonly texts: ReadonlyMap<string, string>;
  /** The ids under which another body arrived. */
  readonly contested: ReadonlySet<string>;
  /** The ids of transactions whose events name another order as well. */
  readonly shared: readonly string[];
  readonly full: boolean;
  /** Whether a fact cannot be read. */
  readonly unreadable: boolean;
  /** By operators, current or not. */
  readonly resolutions: readonly ResolvedFact[];
}

/** Later counts before earlier: an event never hides one that took the order further. */
const ranks: readonly Meaning[] = ['history', 'disputed', 'failed', 'paid', 'refunded'];

const outranks = (a: EventFact, b: EventFact): boolean =>
  (ranks.indexOf(a.meaning) - ranks.indexOf(b.meaning) || byLargestAmount(b.amount, a.amount)) > 0;

/** A fact, and its text. */
export interface ReadFact {
  readonly text: string;
  readonly fact: Fact;
}

/** Each fact once, by its text. */
export const readFacts = (facts: Iterable<string>): readonly ReadFact[] =>
  [...new Set(facts)].sort().map((text) => ({ text, fact: parseFact(text) }));

/**
 * What a set of facts means. Of several events under one id, the one counts whose meaning takes an order
 * furthest, then the one with the largest amount, then the first as text: content decides, and not the time
 * of arrival.
 */
export const countEvents = (facts: Iterable<string>): CountedEvents => countRead(readFacts(facts));

/** The same of facts in the order of their texts. */
export function countRead(read: readonly ReadFact[]): CountedEvents {
  const counted = new Map<string, { readonly text: string; readonly fact: EventFact }>();
  const contested = new Set<string>();
  for (const { text, fact } of read) {
    if (fact.kind === 'conflict') contested.add(fact.eventId);
    if (fact.kind !== 'event') continue;
    const other = counted.get(fact.eventId);
    if (other !== undefined) contested.add(fact.eventId);
    if (other === undefined || outranks(fact, other.fact)) counted.set(fact.eventId, { text, fact });
  }
  const sorted = [...counted].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    events: sorted.map(([, { fact }]) => fact),
    texts: new Map(sorted.map(([id, { text }]) => [id, text])),
    contested,
    shared: read.flatMap(({ fact }) => (fact.kind === 'shared' ? [fact.transactionId] : [])),
    full: read.some(({ fact }) => fact.kind === 'full'),
    unreadable: read.some(({ fact }) => fact.kind === 'unreadable'),
    resolutions: read.flatMap(({ fact }) => (fact.kind === 'resolved' ? [fact] : [])),
  };
}
