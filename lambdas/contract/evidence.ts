import { createHash } from 'node:crypto';

/** The lines of each row of an act, in the log of the operations function: before and after its commit. */
export const evidenceLines = { planned: 'act planned', committed: 'act committed' } as const;

/** The digest of a row, whatever the order in which its attributes and its sets are read. */
export const rowDigest = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(item)))
    .digest('hex');

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical).sort();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort().map(([name, one]) => [name, canonical(one)]));
}
