import { type Covered, startCoverage } from './coverage.ts';
import { examine, Finding } from './examine.ts';
import { naughtyStrings } from './inputs/naughty-strings.ts';
import { createRandom, mutate } from './mutate.ts';
import type { Target } from './target.ts';

/** How many inputs run between two looks at the counters, one of which takes as long as some inputs. */
const batchInputs = 50;
const shrinkAttemptsMax = 200;
/** Larger inputs are not changed again: most of the time would go into their bytes. */
const parentBytesMax = 4_096;
/** The steps that an input may take through `lambdas/`: a number, and some for each of its bytes. */
const stepsMax = { ofAny: 20_000, ofByte: 20 };

export interface FuzzOptions {
  readonly seed: number;
  /** The inputs to begin with, in addition to the seeds of the target. */
  readonly corpus: readonly Uint8Array[];
  /** Whether to make what is kept as small as it can be, which takes its time. */
  readonly shrinks?: boolean;
  /** Whether to stop after this many inputs. */
  readonly isOver: (inputs: number) => boolean;
}

/** An input that showed something new. */
export interface Kept {
  readonly input: Uint8Array;
  readonly outcome: string;
}

export interface FuzzResult {
  readonly inputs: number;
  /** How many ranges of code and how many outcomes were seen. */
  readonly features: number;
  readonly kept: readonly Kept[];
}

/**
 * Changes inputs at random, and goes on with those that ran code, or had an outcome, that no input had
 * before. Throws the first `Finding`.
 */
export async function fuzz(
  target: Target,
  { seed, corpus, isOver, shrinks = false }: FuzzOptions,
): Promise<FuzzResult> {
  const random = createRandom(seed);
  const coverage = startCoverage();
  const seen = new Set<string>();
  const kept: Kept[] = [];
  const words = [...naughtyStrings.map(({ text }) => text), ...target.words];

  const run = async (input: Uint8Array): Promise<Covered & { readonly outcome: string }> => {
    const outcome = await examine(target, input);
    const { places, steps } = coverage.take();
    checkSteps(target, input, steps);
    return { outcome, places: [...places, `outcome ${outcome}`], steps };
  };
  const keep = async (input: Uint8Array): Promise<void> => {
    const { places } = await run(input);
    const fresh = places.filter((place) => !seen.has(place));
    if (fresh.length === 0) return;
    const isEnough = async (smaller: Uint8Array): Promise<boolean> => {
      const now = new Set((await run(smaller)).places);
      return fresh.every((place) => now.has(place));
    };
    const small = shrinks ? await shrink(input, isEnough) : input;
    const { outcome, places: all } = await run(small);
    for (const place of all) seen.add(place);
    kept.push({ input: small, outcome });
  };

  try {
    for (const input of [...target.seeds.map((text) => Buffer.from(text)), ...corpus]) await keep(input);
    let inputs = 0;
    while (!isOver(inputs)) {
      const others = kept.map(({ input }) => input).filter(({ length }) => length <= parentBytesMax);
      const batch = Array.from({ length: batchInputs }, () => {
        const from = others[Math.floor(random() * others.length)] ?? Buffer.of();
        return mutate(from, { random, words, others });
      });
      const outcomes: string[] = [];
      for (const input of batch) outcomes.push(await examine(target, input));
      const { places, steps } = coverage.take();
      inputs += batch.length;
      const bytes = batch.reduce((sum, { length }) => sum + length, 0);
      const isNew = [...places, ...outcomes.map((outcome) => `outcome ${outcome}`)].some(
        (one) => !seen.has(one),
      );
      if (isNew || steps > stepsMax.ofAny + stepsMax.ofByte * bytes)
        for (const input of batch) await keep(input);
      for (const place of places) seen.add(place);
    }
    return { inputs, features: seen.size, kept };
  } finally {
    coverage.stop();
  }
}

function checkSteps(target: Target, input: Uint8Array, steps: number): void {
  const most = stepsMax.ofAny + stepsMax.ofByte * input.length;
  if (steps <= most) return;
  throw new Finding(
    target,
    input,
    `It took ${steps} steps for ${input.length} bytes; expected at most ${most}.`,
  );
}

/** The input without the parts that `isEnough` does not need: halves first, single bytes last. */
async function shrink(
  input: Uint8Array,
  isEnough: (smaller: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let small = input;
  let attempts = 0;
  for (
    let size = Math.ceil(small.length / 2);
    size >= 1 && attempts < shrinkAttemptsMax;
    size = Math.floor(size / 2)
  ) {
    for (let from = 0; from < small.length && attempts < shrinkAttemptsMax; attempts += 1) {
      const smaller = Buffer.concat([small.subarray(0, from), small.subarray(from + size)]);
      if (await isEnough(smaller)) small = smaller;
      else from += size;
    }
  }
  return small;
}
