import { setTimeout as pause } from 'node:timers/promises';
import { type Outcome, type Run, startLoad } from './generator.ts';
import { type Judgement, judge } from './judgement.ts';
import { openStores, type Stores } from './stores.ts';
import { startTarget, type Target } from './target.ts';

/** What is measured about once a second. */
export interface Sample {
  /** Seconds since the start of the load. */
  readonly at: number;
  readonly memoryBytes: number;
  /** Acknowledged events that are not recorded yet. */
  readonly waiting: number;
  /** Webhooks with status 202 so far. */
  readonly acknowledged: number;
}

export interface LoadResult {
  /** How long the load took. */
  readonly seconds: number;
  /** From the end of the load until nothing was waiting. */
  readonly drainSeconds: number;
  readonly sent: number;
  readonly acknowledged: number;
  /** Webhooks without a response. */
  readonly errors: number;
  readonly outcomes: readonly Outcome[];
  readonly samples: readonly Sample[];
  readonly judgement: Judgement;
}

const sampleMilliseconds = 1_000;
const drainPollMilliseconds = 100;
/** A failed batch comes back after its visibility timeout of some minutes. */
const drainSecondsMax = 900;

type Running = ReturnType<typeof startLoad>;

/** Sends webhooks to a local mode of its own, lets its queue drain, and judges what is recorded. */
export async function runLoad(options: Run, onSample: (sample: Sample) => void): Promise<LoadResult> {
  const target = await startTarget();
  try {
    const stores = await openStores(target.baseUrl);
    try {
      return await measure({ target, stores, options, onSample });
    } finally {
      stores.close();
    }
  } finally {
    await target.stop();
  }
}

interface Parts {
  readonly target: Target;
  readonly stores: Stores;
  readonly options: Run;
  readonly onSample: (sample: Sample) => void;
}

async function measure({ target, stores, options, onSample }: Parts): Promise<LoadResult> {
  const samples: Sample[] = [];
  const since = performance.now();
  const at = (): number => (performance.now() - since) / 1_000;
  const load = startLoad(target, options);
  const take = async (): Promise<Sample> => {
    const [waiting, memoryBytes] = [await stores.waiting(), await target.memoryBytes()];
    const sample = { at: at(), memoryBytes, waiting, acknowledged: load.acknowledged.size };
    samples.push(sample);
    onSample(sample);
    return sample;
  };
  const seconds = await sampleUntil(load.ended.then(at), take).finally(load.stop);
  for (let left = (await take()).waiting; left > 0; left = await stores.waiting()) {
    if (at() - seconds > drainSecondsMax) break;
    await pause(drainPollMilliseconds);
    if (at() - (samples.at(-1)?.at ?? 0) > sampleMilliseconds / 1_000) await take();
  }
  const drainSeconds = at() - seconds;
  return { ...counts(load), seconds, drainSeconds, samples, judgement: await judged(load, stores) };
}

/** Takes samples about a second apart. Resolves with the time at which the load ended. */
async function sampleUntil(ended: Promise<number>, take: () => Promise<Sample>): Promise<number> {
  for (let seconds: number | undefined; ; ) {
    await take();
    seconds = await Promise.race([ended, pause(sampleMilliseconds, undefined)]);
    if (seconds !== undefined) return seconds;
  }
}

const counts = (load: Running) => ({
  sent: load.sent.size,
  acknowledged: load.acknowledged.size,
  errors: load.errors(),
  outcomes: load.outcomes,
});

async function judged(load: Running, stores: Stores): Promise<Judgement> {
  return judge(load.sent, load.acknowledged, await stores.recorded());
}
