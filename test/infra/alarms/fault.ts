import type { Deployment } from './deployment.ts';

export interface AlarmFault {
  /** Completes "fires when …". */
  readonly what: string;
  /** The other alarms that the same fault raises. */
  readonly others?: readonly string[];
  readonly cause: (deployment: Deployment) => Promise<unknown>;
}
