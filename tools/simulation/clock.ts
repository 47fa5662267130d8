/** Ends a timer before it fires. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(milliseconds: number, work: () => void): Cancel;
  pause(milliseconds: number): Promise<void>;
  /**
   * Does what is due, in the order of its time, until there is nothing left to do, `isDone` or the end of
   * `until`. Time jumps from one thing to the next.
   */
  run(until: number, isDone?: () => boolean): Promise<void>;
  /** Ends the run with an error: the simulation itself is wrong, not what it simulates. */
  fail(error: unknown): void;
}

interface Entry {
  readonly at: number;
  /** Things of one moment happen in the order in which they were planned. */
  readonly order: number;
  work: (() => void) | undefined;
}

/** The virtual time of a world: nothing in it takes real time, and no two runs differ. */
export function createClock(startedAt: number): Clock {
  let time = startedAt;
  let order = 0;
  const heap: Entry[] = [];
  const broken: unknown[] = [];

  function after(milliseconds: number, work: () => void): Cancel {
    order += 1;
    const entry: Entry = { at: time + Math.max(0, Math.ceil(milliseconds)), order, work };
    push(heap, entry);
    return () => {
      entry.work = undefined;
    };
  }

  return {
    now: () => time,
    after,
    fail: (error) => void broken.push(error),
    pause: (milliseconds) => new Promise((resolve) => after(milliseconds, resolve)),
    async run(until, isDone = () => false) {
      await settled();
      // First: to look whether all is done may itself begin something.
      while (!isDone()) {
        const next = heap[0];
        if (next === undefined || next.at > until) break;
        pop(heap);
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

const isBefore = (a: Entry, b: Entry): boolean => (a.at === b.at ? a.order < b.order : a.at < b.at);

/** A binary heap: the parent of `index` is at `(index - 1) >> 1`. */
function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  for (;;) {
    const parent = heap[(index - 1) >> 1];
    if (index === 0 || parent === undefined || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = (index - 1) >> 1;
  }
  heap[index] = entry;
}

/** Removes the first entry. */
function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    if (left === undefined) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (isBefore(last, child)) break;
    heap[index] = child;
    index = 2 * index + (isRight ? 2 : 1);
  }
  heap[index] = last;
}
