import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import type { Scene } from './scene.ts';

/** One fault, and how an operator ends it with the commands of the runbook. */
export interface Drill {
  readonly name: string;
  /** One sentence: what breaks. */
  readonly fault: string;
  /** The alarm that fires, and ends at the end. */
  readonly alarm: AlarmName;
  readonly begin: (scene: Scene) => Promise<unknown>;
  /** What the operator does once `payhooks status` has named the alarm. */
  readonly repair: (scene: Scene) => Promise<unknown>;
}
