import { Worker } from 'node:worker_threads';
import type { StageCode, Versions } from '../lambda/bundles.ts';
import type { SeedResult } from './result.ts';

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
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: code });
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
