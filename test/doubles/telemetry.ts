import type { MetricName } from '../../lambdas/contract/metrics.ts';
import type { LogFields, MetricUnit, Telemetry } from '../../lambdas/ports/telemetry.ts';

export interface RecordedTelemetry extends Telemetry {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  readonly metrics: MetricName[];
  readonly measured: { readonly metric: MetricName; readonly value: number; readonly unit: MetricUnit }[];
  readonly flushes: () => number;
}

/** Telemetry that keeps what a stage logs and counts. */
export function recordTelemetry(): RecordedTelemetry {
  const lines: RecordedTelemetry['lines'] = [];
  const metrics: MetricName[] = [];
  const measured: RecordedTelemetry['measured'] = [];
  let flushes = 0;
  return {
    lines,
    metrics,
    measured,
    flushes: () => flushes,
    log: (level, message, fields = {}) =>
      lines.push({ level, message, fields: typeof fields === 'function' ? fields() : fields }),
    count: (metric, times = 1) => {
      for (let time = 0; time < times; time += 1) metrics.push(metric);
    },
    measure: (metric, value, unit) => measured.push({ metric, value, unit }),
    flush: () => {
      flushes += 1;
    },
  };
}
