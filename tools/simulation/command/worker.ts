/** A worker of `npm run simulate-faults`: gets seeds, one at a time, and returns what became of each. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CodeVersion } from '../history.ts';
import { loadBundles, type StageCode } from '../lambda/bundles.ts';
import { judgeSeed } from './result.ts';

const bundles = loadBundles(workerData as Record<CodeVersion, StageCode>);

parentPort?.on('message', async (seed: number) => {
  parentPort?.postMessage(await judgeSeed(seed, bundles));
});
