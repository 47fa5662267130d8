import { createHash } from 'node:crypto';
import { type Fact, parseFact } from './fact.ts';

/** These change nothing that an operator judges. */
const isJudged = ({ kind }: Fact): boolean => kind !== 'resolved' && kind !== 'refolded';

/**
 * What a resolution judges, as a SHA-256 in lowercase hexadecimal: of the JSON array of all facts of an order
 * except resolutions and repeated publications, sorted by code unit. Throws UnreadableFactError.
 */
export function judgedDigest(facts: Iterable<string>): string {
  const judged = [...new Set(facts)].filter((text) => isJudged(parseFact(text))).sort();
  return createHash('sha256').update(JSON.stringify(judged)).digest('hex');
}
