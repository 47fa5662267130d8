import type { CodeVersion } from './history.ts';
import type { Bundles } from './lambda/bundles.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

/** A setting is deployed with the code as it is. */
export function bundlesOf({ deployment }: Plan, bundles: Bundles): Bundles {
  if (deployment?.of === 'code') return bundles;
  const old = deployment?.of === 'reading' ? bundles.former : undefined;
  return { old: old ?? bundles.new, new: bundles.new };
}

/** Before the deployment old code starts, after it new code, and during it either. */
export function versionAt({ deployment }: Plan, now: number, random: Random): CodeVersion {
  if (deployment === undefined || now >= deployment.until) return 'new';
  if (deployment.of === 'reading') return now < deployment.from ? 'old' : 'new';
  return now < deployment.from || random.chance(0.5) ? 'old' : 'new';
}
