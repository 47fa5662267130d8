import type { Deployment } from './deployment.ts';

/** Several faults may raise one alarm: the name of the alarm is the first word of the name of the fault. */
export const alarmOf = (fault: string): string => fault.split(' ')[0] ?? '';

export interface AlarmFault {
  /** Completes "fires when …". */
  readonly what: string;
  /** The other alarms that the same fault raises. */
  readonly others?: readonly string[];
  readonly cause: (deployment: Deployment) => Promise<unknown>;
}
