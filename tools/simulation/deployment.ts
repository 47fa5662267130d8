import { variables } from '../../lambdas/contract/environment.ts';
import type { CodeVersion } from './history.ts';
import type { Bundles, Loaded } from './lambda/bundles.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

export function bundlesOf(
  { deployment }: Plan,
  { today, former = today }: Bundles,
): Readonly<Record<CodeVersion, Loaded>> {
  return { old: deployment?.formerly.hasOtherPlaces ? former : today, new: today };
}

/** What is set for a version, in addition to the variables of its functions. */
export function variablesOf({ deployment, settings }: Plan, version: CodeVersion): Record<string, string> {
  const { eventMeanings } = (version === 'old' && deployment?.formerly) || settings;
  const isSet = Object.keys(eventMeanings).length > 0;
  return isSet ? { [variables.eventMeanings]: JSON.stringify(eventMeanings) } : {};
}

/** Before the deployment old code starts, after it new code, and during it either. */
export function versionAt({ deployment }: Plan, now: number, random: Random): CodeVersion {
  if (deployment === undefined || now >= deployment.until) return 'new';
  return now < deployment.from || random.chance(0.5) ? 'old' : 'new';
}
