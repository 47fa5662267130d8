import type { Invocation } from '../lambda/functions.ts';

/**
 * What failed of a batch with `ReportBatchItemFailures`, by Lambda's rules: nothing or an empty list is
 * success; a list that names something else fails the whole batch, and so does an invocation that ended.
 */
export function failedItems(invocation: Invocation, ids: readonly string[]): ReadonlySet<string> {
  if (invocation.kind !== 'returned') return new Set(ids);
  const result = invocation.result as
    | { batchItemFailures?: { itemIdentifier?: string }[] }
    | null
    | undefined;
  const failed = (result?.batchItemFailures ?? []).map(({ itemIdentifier = '' }) => itemIdentifier);
  return new Set(failed.every((id) => ids.includes(id)) ? failed : ids);
}
