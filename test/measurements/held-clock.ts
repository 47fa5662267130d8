const RealDate = Date;

export interface HeldClock {
  advance(milliseconds: number): void;
  release(): void;
}

/**
 * Holds the time of this process, so that a measurement counts the same in every run: how many changes bear one
 * millisecond decides what a page of the list reads. Timers go on.
 */
export function holdClock(start: string): HeldClock {
  let now = RealDate.parse(start);
  class HeldDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now] : given) as [number]));
    }
    static override now(): number {
      return now;
    }
  }
  globalThis.Date = HeldDate as DateConstructor;
  return {
    advance(milliseconds) {
      now += milliseconds;
    },
    release() {
      globalThis.Date = RealDate;
    },
  };
}
