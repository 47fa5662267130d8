import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { check } from '../checker/check.ts';
import type { Violation } from '../checker/violation.ts';
import { type Bundles, loadBundles, type StageCode, type Versions } from '../lambda/bundles.ts';
import { type RunOptions, runSeed } from '../run.ts';

/** What is left of a run once it is judged. */
export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
}

export async function judgeSeed(
  seed: number,
  bundles: Bundles,
  onLine?: RunOptions['onLine'],
): Promise<SeedResult> {
  const { history } = await runSeed({ seed, bundles, onLine });
  return { seed, violations: check(history), counts: history.counters };
}

export interface PoolOptions {
  readonly code: Versions<StageCode>;
  readonly seeds: readonly number[];
  readonly workers: number;
  readonly onResult: (result: SeedResult) => void;
}

/** Runs the seeds on several cores. Which worker runs a seed changes nothing about its run. */
export async function runSeeds({ code, seeds, workers, onResult }: PoolOptions): Promise<SeedResult[]> {
  const waiting = [...seeds];
  const results: SeedResult[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url), { workerData: code });
    try {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        const result = await ask(worker, seed);
        results.push(result);
        onResult(result);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, seeds.length) }, work));
  return results.sort((a, b) => a.seed - b.seed);
}

function ask(worker: Worker, seed: number): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(new Error(`The simulation broke at seed ${seed}.`, { cause })));
    worker.postMessage(seed);
  });
}

/** A worker gets seeds, one at a time, and returns what became of each. */
if (!isMainThread && parentPort !== null && isCode(workerData)) {
  const bundles = loadBundles(workerData);
  parentPort.on('message', async (seed: number) => parentPort?.postMessage(await judgeSeed(seed, bundles)));
}

/** Not the data of a worker that runs tests. */
function isCode(data: unknown): data is Versions<StageCode> {
  return typeof data === 'object' && data !== null && 'today' in data;
}
