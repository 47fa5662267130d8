import { variables } from '../../lambdas/contract/environment.ts';
import type { CodeVersion } from './history.ts';
import type { Bundles, Loaded, Stage } from './lambda/bundles.ts';
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

interface Start {
  readonly stage: Stage;
  readonly now: number;
  readonly random: Random;
}

/** Before the deployment old code starts, after it new code, and during it either; operators do not wait. */
export function versionAt({ deployment }: Plan, { stage, now, random }: Start): CodeVersion {
  if (deployment === undefined || now >= deployment.until) return 'new';
  if (now < deployment.from) return 'old';
  return stage === 'operations' || random.chance(0.5) ? 'new' : 'old';
}
