import { refusalLinesPerMinute, refusalSumSeconds } from '../contract/limits.ts';
import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { LogFields, Telemetry } from '../ports/telemetry.ts';

/** A webhook that got another response than 202. */
export interface Refused {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly metric: MetricName;
  /** In `WebhooksRefused`; none for a fault of ours. */
  readonly weight?: number | undefined;
  readonly fields: LogFields & { readonly reason: string };
}

interface RefusalReportParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

/** What this instance knows of one reason. */
interface Kept {
  minuteBegan: number;
  lines: number;
  /** Refusals without a line of their own; `latest` is the last of them. */
  unwritten: number;
  heldSince: number;
  latest: Refused;
}

/**
 * Logs and counts refusals: the first ones of each minute and reason one by one, so that every alarm fires
 * as soon as it should, and all others as sums with a `count`, which are in the metrics as well.
 */
export function createRefusalReport({ now, telemetry }: RefusalReportParts) {
  const reasons = new Map<string, Kept>();
  const write = ({ level, message, metric, weight, fields }: Refused, count: number): void => {
    telemetry.count(metric, count);
    if (weight !== undefined) telemetry.measure(metricNames.webhooksRefused, weight * count, 'Count');
    telemetry.log(level, message, count === 1 ? fields : { ...fields, count });
  };
  // A clock that was set back must not hold anything back.
  const hasPassed = (since: number, seconds: number): boolean => Math.abs(now() - since) >= seconds * 1_000;

  return {
    add(refused: Refused): void {
      const known = reasons.get(refused.fields.reason);
      const kept = known ?? { minuteBegan: now(), lines: 0, unwritten: 0, heldSince: 0, latest: refused };
      reasons.set(refused.fields.reason, kept);
      if (hasPassed(kept.minuteBegan, 60)) Object.assign(kept, { minuteBegan: now(), lines: 0 });
      if (kept.lines < refusalLinesPerMinute) {
        kept.lines += 1;
        write(refused, 1);
      } else {
        if (kept.unwritten === 0) kept.heldSince = now();
        kept.unwritten += 1;
        kept.latest = refused;
      }
    },
    /** Writes the sums that are due; called at the end of every request. */
    flush(): void {
      for (const kept of reasons.values()) {
        if (kept.unwritten === 0 || !hasPassed(kept.heldSince, refusalSumSeconds)) continue;
        write(kept.latest, kept.unwritten);
        kept.unwritten = 0;
      }
    },
  };
}
