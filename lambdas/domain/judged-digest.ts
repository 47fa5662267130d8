import { parseFact, type ResolvedFact, sha256Of } from './fact.ts';

/**
 * What a resolution judges, as a SHA-256 in lowercase hexadecimal: of the JSON array of all facts of an order
 * except resolutions, which change nothing that an operator judges, sorted by code unit.
 */
export function judgedDigest(facts: Iterable<string>): string {
  const judged = [...new Set(facts)].filter((text) => parseFact(text).kind !== 'resolved').sort();
  return sha256Of(JSON.stringify(judged));
}

/** What operators have resolved for exactly these facts: any new one raises it again. */
export function currentResolutions(
  facts: Iterable<string>,
  resolutions: readonly ResolvedFact[],
): readonly ResolvedFact[] {
  if (resolutions.length === 0) return [];
  const current = judgedDigest(facts);
  return resolutions.filter(({ judgedSha256 }) => judgedSha256 === current);
}
