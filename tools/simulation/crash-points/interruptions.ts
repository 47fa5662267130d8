import type { Instance } from '../lambda/instance.ts';
import type { Interruptions } from '../world.ts';

/** What happens to one call of AWS, for all of the SDK's attempts or only for the first one. */
export const losses = [
  'lost once',
  'lost for good',
  'response lost once',
  'response lost for good',
  'killed before',
  'killed after',
] as const;
export type Loss = (typeof losses)[number];

/** A call of a run, counted from 1, and what happens to it. */
export interface CrashPoint {
  readonly call: number;
  readonly loss: Loss;
}

export interface CountedInterruptions extends Interruptions {
  /** From now on calls count. */
  begin(): void;
  /** The calls of the run so far, and how many of the points were reached. */
  readonly calls: () => number;
  readonly reached: () => number;
}

/** Interrupts a run at these calls, and nowhere else. */
export function interruptAt(
  points: readonly CrashPoint[],
  kill: (instance: Instance) => void,
): CountedInterruptions {
  /** The attempts of one call have one id. */
  const numbers = new Map<string, number>();
  const reached = new Set<CrashPoint>();
  let hasBegun = false;
  const pointOf = (callId: string): CrashPoint | undefined => {
    const point = points.find(({ call }) => call === numbers.get(callId));
    if (point !== undefined) reached.add(point);
    return point;
  };
  return {
    begin() {
      hasBegun = true;
    },
    calls: () => numbers.size,
    reached: () => reached.size,
    faults: {
      next(_, callId) {
        if (!hasBegun) return undefined;
        const isFirst = !numbers.has(callId);
        if (isFirst) numbers.set(callId, numbers.size + 1);
        const { loss = '' } = pointOf(callId) ?? {};
        if (loss.endsWith('once') && !isFirst) return undefined;
        if (loss.startsWith('lost')) return 'reset-before';
        return loss.startsWith('response lost') ? 'reset-after' : undefined;
      },
      allow() {},
    },
    kills: {
      plan() {},
      isDue(instance, moment, callId) {
        if (pointOf(callId)?.loss !== `killed ${moment}`) return false;
        kill(instance);
        return true;
      },
      allow() {},
    },
  };
}
