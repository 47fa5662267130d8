import * as v from 'valibot';
import type { Invocation } from '../functions/invocation.ts';

const failure = v.object({ itemIdentifier: v.string() });
const batchResponse = v.nullish(v.object({ batchItemFailures: v.nullish(v.array(failure), []) }));

/**
 * The items of a batch that failed, by Lambda's rules. With `ReportBatchItemFailures` the function's response
 * decides: nothing or an empty list is success, and a list that Lambda does not understand (an empty id, an
 * unknown one, a wrong key) fails the whole batch. Without it only an error fails, and then the whole batch.
 */
export function failedItems(
  invocation: Invocation,
  batch: { readonly ids: readonly string[]; readonly reportsItemFailures: boolean },
): ReadonlySet<string> {
  const all = new Set(batch.ids);
  if (!invocation.ok) return all;
  if (!batch.reportsItemFailures) return new Set();
  const response = v.safeParse(batchResponse, JSON.parse(invocation.payload));
  if (!response.success) return all;
  const failed = response.output?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}
