import type { AlarmSeverity } from '../../lambdas/contract/alarm-guide.ts';

/** `GET /console/api/alarms`: every alarm of the stack, whatever its state. */
export interface AlarmList {
  readonly alarms: readonly ListedAlarm[];
}

export interface ListedAlarm {
  /** Without the name of the stack. */
  readonly alarm: string;
  /** `deleted`: by hand. */
  readonly state: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA' | 'deleted';
  readonly severity: AlarmSeverity;
  /** When it entered its state; ISO 8601. */
  readonly since: string | null;
  /** One sentence; empty for a deleted alarm. */
  readonly meaning: string;
}
