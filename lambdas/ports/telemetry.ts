import type { MetricName } from '../contract/metrics.ts';

export type MetricUnit = 'Count' | 'Seconds';

/**
 * `info`: what went well with one event, request or invocation; written only with the setting `logLevel`
 * `info` · `notice`: what went well and is rare, such as an act of an operator; always written.
 */
export type LogLevel = 'info' | 'notice' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * The logs and metrics of a stage. Bodies, signatures, keys and customer data never go in: a line holds ids,
 * outcomes and reasons.
 */
export interface Telemetry {
  /** Fields that take work are given as a function, which is called only for a line that is written. */
  log(level: LogLevel, message: string, fields?: LogFields | (() => LogFields)): void;
  /** Adds `times` to a metric of this invocation; 1 by default. */
  count(metric: MetricName, times?: number): void;
  /** Adds a value to a metric of this invocation. */
  measure(metric: MetricName, value: number, unit: MetricUnit): void;
  /** Writes the metrics of this invocation; called once, at its end. */
  flush(): void;
}

/** Of an error whose message is known to quote no secret. The code is one such as ENOTFOUND. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  const { code } = error as NodeJS.ErrnoException;
  return { error_name: error.name, error_code: code, error_message: error.message };
}
