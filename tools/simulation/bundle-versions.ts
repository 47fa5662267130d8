import type { CodeVersion } from './history.ts';
import { bundleStages, bundleToday, type StageCode } from './lambda/bundles.ts';
import { oldSource } from './lambda/old-code.ts';

export interface Versions {
  readonly code: Readonly<Record<CodeVersion, StageCode>>;
  /** `false` where the old code is not at hand: then today's code runs in both places. */
  readonly hasOldCode: boolean;
}

/** Today's code, and the code that it replaces. */
export async function bundleVersions(): Promise<Versions> {
  const source = oldSource();
  const today = await bundleToday();
  if (source === undefined) return { code: { old: today, new: today }, hasOldCode: false };
  return { code: { old: await bundleStages({ source }), new: today }, hasOldCode: true };
}
