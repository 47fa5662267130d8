import { ageOf } from '../age.ts';
import { openOperations } from '../operations.ts';
import type { Stack } from '../stack/stack.ts';

/** When each key last matched a webhook that was recorded, by its id; to within `keyUseIntervalSeconds`. */
export type KeyUses = ReadonlyMap<string, string>;

export async function readKeyUses(stack: Stack): Promise<KeyUses> {
  const { keys } = await openOperations(stack).keys();
  return new Map(keys.map(({ key_id, last_matched_at }) => [key_id, last_matched_at]));
}

/** Such as `2026-11-22T05:10Z (12 min ago)`. */
export const describeUse = (matchedAt: string, now: number): string =>
  `${matchedAt.slice(0, 16)}Z (${ageOf(matchedAt, now)} ago)`;
