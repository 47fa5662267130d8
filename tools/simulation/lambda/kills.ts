import type { Random } from '../random.ts';
import type { Instance } from './instance.ts';

/**
 * Where an invocation is killed: at one of its calls of AWS, before or after that was carried out; or, once
 * it has returned, because Lambda may end any idle instance, with what it left running.
 */
interface Plan {
  callsBefore: number;
  readonly moment: Moment;
}

type Moment = 'before' | 'after' | 'returned';

export type Kills = ReturnType<typeof createKills>;

const callsBeforeMax = 8;

export function createKills(parts: {
  readonly random: Random;
  /** The chance of an invocation to be killed, from 0 to 1. */
  readonly rate: number;
  readonly kill: (instance: Instance) => void;
}) {
  const { random, rate, kill } = parts;
  const plans = new Map<Instance, Plan>();
  let isAllowed = true;
  return {
    /** Decides whether the invocation that begins is to be killed, and where. */
    plan(instance: Instance): void {
      plans.delete(instance);
      if (!isAllowed || !random.chance(rate)) return;
      const moment = random.pick(['before', 'after', 'returned'] as const);
      const callsBefore = moment === 'returned' ? 0 : random.integer(0, random.integer(0, callsBeforeMax));
      plans.set(instance, { callsBefore, moment });
    },
    /** Kills the instance if its moment has come. Called before and after each call, and at the return. */
    isDue(instance: Instance, moment: Moment): boolean {
      const plan = plans.get(instance);
      if (plan?.moment !== moment) return false;
      plan.callsBefore -= 1;
      if (plan.callsBefore >= 0) return false;
      plans.delete(instance);
      kill(instance);
      return true;
    },
    /** From now on invocations may be killed, or not. */
    allow(given: boolean): void {
      isAllowed = given;
      plans.clear();
    },
  };
}
