/** Ends a timer before it fires. */
export type Cancel = () => void;

export type Clock = ReturnType<typeof createClock>;

interface Entry {
  readonly at: number;
  work: (() => void) | undefined;
}

/** The virtual time of a world: nothing in it takes real time, and no two runs differ. */
export function createClock(startedAt: number) {
  let time = startedAt;
  /** The next one is the last. */
  const entries: Entry[] = [];
  const broken: unknown[] = [];

  function after(milliseconds: number, work: () => void): Cancel {
    const entry: Entry = { at: time + Math.max(0, Math.ceil(milliseconds)), work };
    // Things of one moment happen in the order in which they were planned.
    const place = entries.findLastIndex((other) => other.at > entry.at);
    entries.splice(place + 1, 0, entry);
    return () => {
      entry.work = undefined;
    };
  }

  return {
    /** Milliseconds since the epoch. */
    now: (): number => time,
    after,
    /** Ends the run with an error: the simulation itself is wrong, not what it simulates. */
    fail: (error: unknown): void => void broken.push(error),
    pause: (milliseconds: number): Promise<void> => new Promise((resolve) => after(milliseconds, resolve)),
    /**
     * Does what is due, in the order of its time, until there is nothing left to do, `isDone` or the end of
     * `until`. Time jumps from one thing to the next.
     */
    async run(until: number, isDone = () => false): Promise<void> {
      await settled();
      // First: to look whether all is done may itself begin something.
      while (!isDone()) {
        const next = entries.at(-1);
        if (next === undefined || next.at > until) break;
        entries.pop();
        if (next.work === undefined) continue;
        time = next.at;
        next.work();
        await settled();
        if (broken.length > 0) throw broken[0];
      }
      if (!isDone() && Number.isFinite(until)) time = Math.max(time, until);
    },
  };
}

/** Resolves when every promise that can go on has gone on: before it, Node runs all of its microtasks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
