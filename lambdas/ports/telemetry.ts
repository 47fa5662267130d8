import type { MetricName } from '../contract/metrics.ts';

export type MetricUnit = 'Count' | 'Seconds';

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * The logs and metrics of a stage. Bodies, signatures, keys and customer data never go in: a line holds ids,
 * outcomes and reasons.
 */
export interface Telemetry {
  log(level: 'info' | 'warn' | 'error', message: string, fields?: LogFields): void;
  /** Adds one to a metric of this invocation. */
  count(metric: MetricName): void;
  /** Adds a value to a metric of this invocation. */
  measure(metric: MetricName, value: number, unit: MetricUnit): void;
  /** Writes the metrics of this invocation; called once, at its end. */
  flush(): void;
}
