import { parseFact } from '../domain/fact.ts';
import type { Act } from '../ports/acts.ts';

/**
 * The ids of the events that belong to an order, sorted by code unit: those of its facts, and those that an
 * operator has judged, whose facts may not be in it.
 */
export function eventIdsOf(facts: readonly string[], acts: readonly Act[]): readonly string[] {
  const counted = facts.map(parseFact).flatMap((fact) => ('eventId' in fact ? [fact.eventId] : []));
  const judged = acts.flatMap(({ eventId }) => (eventId === undefined ? [] : [eventId]));
  return [...new Set([...counted, ...judged])].sort();
}
