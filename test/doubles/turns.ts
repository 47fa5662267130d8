import type { PortCall } from './intercepted.ts';

/** Awaited before every call of a store. */
export type Gate = (call?: PortCall) => Promise<void>;
export type Actor<Result> = (gate: Gate) => Promise<Result>;

/** So many calls of one actor, by its index. */
export interface Turn {
  readonly actor: number;
  readonly calls: number;
}

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface TakenTurns<Result> {
  readonly results: readonly Result[];
  /** For each turn, whether its actor had ended at the end of it. */
  readonly ended: readonly boolean[];
}

/**
 * Runs actors at the same time, of which one at a time makes calls: as many as its turn allows. After the last
 * turn each runs to its end, in the order of the actors.
 */
export async function takeTurns<Result>(
  actors: readonly Actor<Result>[],
  turns: readonly Turn[],
): Promise<TakenTurns<Result>> {
  const runs = actors.map((actor) => {
    const waiting: (() => void)[] = [];
    const run = { waiting, done: false, result: undefined as unknown as Promise<Result> };
    run.result = actor(() => new Promise((resolve) => waiting.push(resolve))).finally(() => {
      run.done = true;
    });
    // Awaited below; until then a failure must not end the process.
    run.result.catch(() => {});
    return run;
  });
  const ended: boolean[] = [];
  for (const { actor, calls } of [...turns, ...runs.map((_, n) => ({ actor: n, calls: 1_000 }))]) {
    const run = runs[actor];
    for (let made = 0; run !== undefined && made < calls; made += 1) {
      while (run.waiting.length === 0 && !run.done) await idle();
      if (run.done) break;
      run.waiting.shift()?.();
      await idle();
    }
    ended.push(run?.done ?? true);
  }
  return { results: await Promise.all(runs.map(({ result }) => result)), ended };
}

/**
 * Lets two actors meet in every way with up to three changes of turns: one makes some calls, then the other
 * some, then the one ends, then the other; and with the roles exchanged. Each way is run once: that the one
 * makes no call first is the same as that the other makes some and the one then ends. Returns how many ways
 * there were.
 */
export async function meetEveryWay(
  run: (turns: readonly Turn[]) => Promise<Pick<TakenTurns<unknown>, 'ended'>>,
): Promise<number> {
  let count = 0;
  for (const [first, other] of [[0, 1] as const, [1, 0] as const]) {
    let [firstEnded, otherEnded] = [false, false];
    for (let some = 1; !firstEnded; some += 1) {
      otherEnded = false;
      for (let others = 1; !firstEnded && !otherEnded; others += 1) {
        const { ended } = await run([
          { actor: first, calls: some },
          { actor: other, calls: others },
          { actor: first, calls: 1_000 },
        ]);
        [firstEnded = true, otherEnded = true] = ended;
        count += 1;
      }
    }
  }
  return count;
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

/** Something happens once, before the first such call; from `dies` calls later on, none is carried out. */
export function atCall(name: string, happens: () => Promise<unknown>, dies = Number.POSITIVE_INFINITY): Gate {
  let since = -1;
  return async (call) => {
    if (since < 0 && call?.name !== name) return;
    since += 1;
    if (since >= dies) throw new Error('dead');
    if (since === 0) await happens();
  };
}

/** Notes the calls of a store: the name of each, and what it was given. */
export function notedCalls() {
  const calls: string[] = [];
  const gate: Gate = async (call) => void calls.push(`${call?.name} ${JSON.stringify(call?.given)}`);
  return { gate, of: (name: string) => calls.filter((call) => call.startsWith(`${name} `)) };
}
