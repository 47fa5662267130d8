import type { MetricName } from '../../lambdas/contract/metrics.ts';
import type { LogFields, Telemetry } from '../../lambdas/ports/telemetry.ts';

export interface RecordedTelemetry extends Telemetry {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  readonly metrics: MetricName[];
  readonly flushes: () => number;
}

/** Telemetry that keeps what a stage logs and counts. */
export function recordTelemetry(): RecordedTelemetry {
  const lines: RecordedTelemetry['lines'] = [];
  const metrics: MetricName[] = [];
  let flushes = 0;
  return {
    lines,
    metrics,
    flushes: () => flushes,
    log: (level, message, fields = {}) => lines.push({ level, message, fields }),
    count: (metric) => metrics.push(metric),
    flush: () => {
      flushes += 1;
    },
  };
}
