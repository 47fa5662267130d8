/** A worker of `npm run simulate-faults`: gets seeds, one at a time, and returns what became of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadBundles, type StageCode, type Versions } from '../lambda/bundles.ts';
import { judgeSeed } from './result.ts';

const bundles = loadBundles(workerData as Versions<StageCode>);

parentPort?.on('message', async (seed: number) => {
  parentPort?.postMessage(await judgeSeed(seed, bundles));
});
