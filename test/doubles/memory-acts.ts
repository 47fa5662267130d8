import type { Act, ActReader, ActWriter } from '../../lambdas/ports/acts.ts';

/** The acts of operators, by partition. */
export function memoryActs(): ActWriter & ActReader & { readonly acts: Map<string, Act[]> } {
  const acts = new Map<string, Act[]>();
  return {
    acts,
    async putAct(act, partitions) {
      for (const partition of new Set(partitions)) {
        const stored = acts.get(partition) ?? [];
        const isStored = stored.some((one) => JSON.stringify(one) === JSON.stringify(act));
        if (!isStored) acts.set(partition, [...stored, act]);
      }
    },
    actsOf: async (partition) => (acts.get(partition) ?? []).toSorted((a, b) => (a.at < b.at ? -1 : 1)),
  };
}
