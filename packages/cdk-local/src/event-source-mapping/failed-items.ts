import type { Invocation } from '../functions/invocation.ts';

/**
 * The items of a batch that failed, by Lambda's rules. With `ReportBatchItemFailures` the function's response
 * decides: nothing or an empty list is success, and a list that Lambda does not understand (an empty id, an
 * unknown one, a wrong key) fails the whole batch. Without it only an error fails, and then the whole batch.
 */
export function failedItems(
  invocation: Invocation,
  batch: { readonly ids: readonly string[]; readonly reportsItemFailures: boolean },
): ReadonlySet<string> {
  const none: ReadonlySet<string> = new Set();
  const all: ReadonlySet<string> = new Set(batch.ids);
  if (!invocation.ok) return all;
  if (!batch.reportsItemFailures) return none;
  const response: unknown = JSON.parse(invocation.payload);
  if (response === null) return none;
  if (!isObject(response)) return all;
  const failures = response['batchItemFailures'] ?? [];
  if (!Array.isArray(failures)) return all;
  const ids: unknown[] = failures.map((one: unknown) => (isObject(one) ? one['itemIdentifier'] : undefined));
  const known = ids.filter((id): id is string => typeof id === 'string' && all.has(id));
  return known.length === ids.length ? new Set(known) : all;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
