import { bundleStages, bundleToday, type StageCode, type Versions } from './lambda/bundles.ts';
import { formerCode } from './lambda/former-code.ts';
import { oldSource } from './lambda/old-code.ts';

export interface BundledVersions {
  readonly code: Versions<StageCode>;
  /** `false` where the old code is not at hand: then today's code runs in both places. */
  readonly hasOldCode: boolean;
}

/** Today's code, and the code that it replaces. */
export async function bundleVersions(): Promise<BundledVersions> {
  const source = oldSource();
  const today = await bundleToday();
  const former = await formerCode(today);
  if (source === undefined) return { code: { old: today, new: today, former }, hasOldCode: false };
  return { code: { old: await bundleStages({ source }), new: today, former }, hasOldCode: true };
}
