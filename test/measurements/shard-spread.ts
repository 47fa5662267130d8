import { changeShards } from '../../lambdas/contract/limits.ts';
import { changeShard, orderKey } from '../../lambdas/contract/schema.ts';

export interface ShardSpread {
  readonly orders: number;
  readonly fewest: number;
  readonly most: number;
  /** The fullest shard against the mean: how much sooner it is at its limit. */
  readonly unevenness: number;
}

/** How the orders of a merchant who numbers them through fall on the index partitions of live orders. */
export function spreadOf(orders: number): ShardSpread {
  const counts = new Map<string, number>();
  for (let n = 1; n <= orders; n += 1) {
    const shard = changeShard('live', orderKey('live', `order-${n}`));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  const sizes = [...counts.values(), ...Array.from({ length: changeShards - counts.size }, () => 0)];
  const most = Math.max(...sizes);
  return { orders, fewest: Math.min(...sizes), most, unevenness: most / (orders / changeShards) };
}
