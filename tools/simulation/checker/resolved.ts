import { createHash } from 'node:crypto';
import type { Row } from '../history.ts';
import { factsOf } from './stored-rows.ts';

/** A resolution in the row of an order, as docs/architecture.md describes the fact. */
export interface Resolution {
  readonly attention: string;
  readonly judged: string;
  readonly by: string;
  readonly reason: string;
}

export const resolutionsOf = (row: Row | undefined): readonly Resolution[] =>
  (row === undefined ? [] : factsOf(row)).flatMap((fact) => {
    const [tag, attention = '', judged = '', by = '', , reason = ''] = JSON.parse(fact) as string[];
    return tag === 'resolved.1' ? [{ attention, judged, by, reason }] : [];
  });

/** The attentions that an operator has ended, with nothing new since. */
export function resolvedAttentions(row: Row | undefined): ReadonlySet<string> {
  const facts = row === undefined ? [] : factsOf(row);
  const judged = facts.filter((fact) => !/^\["(resolved|refolded)\./.test(fact)).sort();
  const digest = createHash('sha256').update(JSON.stringify(judged)).digest('hex');
  const current = resolutionsOf(row).filter((one) => one.judged === digest);
  return new Set(current.map(({ attention }) => attention).filter((name) => name !== 'too_many_events'));
}
