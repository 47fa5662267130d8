import { createHash } from 'node:crypto';
import type { Row } from '../history.ts';
import { factsOf } from './stored-rows.ts';

/** A resolution in the row of an order, as docs/architecture.md describes the fact. */
export interface Resolution {
  readonly attention: string;
  readonly judged: string;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

export const isResolution = (fact: string): boolean => fact.startsWith('["resolved",');

export const resolutionsOf = (row: Row | undefined): readonly Resolution[] =>
  (row === undefined ? [] : factsOf(row)).filter(isResolution).map((fact) => {
    const [, attention = '', judged = '', by = '', at = '', reason = ''] = JSON.parse(fact) as string[];
    return { attention, judged, by, at, reason };
  });

/** The attentions that an operator has ended, with nothing new since. */
export function resolvedAttentions(row: Row | undefined): ReadonlySet<string> {
  const judged = (row === undefined ? [] : factsOf(row)).filter((fact) => !isResolution(fact)).sort();
  const digest = createHash('sha256').update(JSON.stringify(judged)).digest('hex');
  const current = resolutionsOf(row).filter((one) => one.judged === digest);
  return new Set(current.map(({ attention }) => attention).filter((name) => name !== 'too_many_events'));
}
