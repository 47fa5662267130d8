/** Awaited before every call of a store. */
export type Gate = () => Promise<void>;
export type Actor<Result> = (gate: Gate) => Promise<Result>;

/** So many calls of one actor, by its index. */
export interface Turn {
  readonly actor: number;
  readonly calls: number;
}

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs actors at the same time, of which one at a time makes calls: as many as its turn allows. After the last
 * turn each runs to its end, in the order of the actors.
 */
export async function takeTurns<Result>(
  actors: readonly Actor<Result>[],
  turns: readonly Turn[],
): Promise<{ readonly results: readonly Result[]; readonly calls: readonly number[] }> {
  const runs = actors.map((actor) => {
    const waiting: (() => void)[] = [];
    const run = { waiting, calls: 0, done: false, result: undefined as unknown as Promise<Result> };
    run.result = actor(() => new Promise((resolve) => waiting.push(resolve))).finally(() => {
      run.done = true;
    });
    // Awaited below; until then a failure must not end the process.
    run.result.catch(() => {});
    return run;
  });
  for (const { actor, calls } of [...turns, ...runs.map((_, n) => ({ actor: n, calls: 1_000 }))]) {
    const run = runs[actor];
    for (let made = 0; run !== undefined && made < calls; made += 1) {
      while (run.waiting.length === 0 && !run.done) await idle();
      if (run.done) break;
      run.calls += 1;
      run.waiting.shift()?.();
      await idle();
    }
  }
  return {
    results: await Promise.all(runs.map(({ result }) => result)),
    calls: runs.map((run) => run.calls),
  };
}

/**
 * Every way in which two actors meet with up to three changes of turns: the first makes some calls, then the
 * other some, then the first ends, then the other; and with the roles exchanged.
 */
export function* meetings(calls: readonly [number, number]): Generator<readonly Turn[]> {
  for (const first of [0, 1] as const) {
    const other = first === 0 ? 1 : 0;
    for (let some = 0; some <= calls[first]; some += 1) {
      for (let others = 1; others <= calls[other]; others += 1) {
        const turns = [some, others, 1_000].map((made, n) => ({
          actor: n === 1 ? other : first,
          calls: made,
        }));
        yield turns;
      }
    }
  }
}

/** The process of an actor ends after so many calls. */
export const dyingAfter =
  (calls: number): ((gate: Gate) => Gate) =>
  (gate) => {
    let made = 0;
    return async () => {
      await gate();
      made += 1;
      if (made > calls) throw new Error('dead');
    };
  };
