import { parseFact, sha256Of } from './fact.ts';

/**
 * What a resolution judges, as a SHA-256 in lowercase hexadecimal: of the JSON array of all facts of an order
 * except resolutions, which change nothing that an operator judges, sorted by code unit.
 */
export function judgedDigest(facts: Iterable<string>): string {
  const judged = [...new Set(facts)].filter((text) => parseFact(text).kind !== 'resolved').sort();
  return sha256Of(JSON.stringify(judged));
}
