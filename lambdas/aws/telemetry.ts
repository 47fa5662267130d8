import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { type MetricName, metricsOfAllStages } from '../contract/metrics.ts';
import type { MetricUnit, Telemetry } from '../ports/telemetry.ts';

/** CloudWatch takes no more values of a metric in one line. */
const valuesPerLineMax = 100;

/**
 * Log lines as JSON objects, and metrics in CloudWatch's embedded format, which costs no call. Namespace and
 * service come from the variables that the stack sets.
 */
export function createTelemetry(): Telemetry {
  const service = requiredVariable(variables.serviceName);
  const namespace = requiredVariable(variables.metricsNamespace);
  const writesInfo = optionalVariable(variables.logLevel) === 'info';
  const metrics = new Map<MetricName, { readonly unit: MetricUnit; readonly values: number[] }>();

  function flush(): void {
    for (const [isOfAll, counted] of Map.groupBy(metrics, ([name]) => metricsOfAllStages.has(name))) {
      const Metrics = counted.map(([Name, { unit }]) => ({ Name, Unit: unit }));
      const Dimensions = [isOfAll ? [] : ['service']];
      const CloudWatchMetrics = [{ Namespace: namespace, Dimensions, Metrics }];
      const values = counted.map(([name, { values: all }]) => [name, all.length === 1 ? all[0] : all]);
      write({
        _aws: { Timestamp: Date.now(), CloudWatchMetrics },
        service,
        ...Object.fromEntries(values),
      });
    }
    metrics.clear();
  }

  function measure(metric: MetricName, value: number, unit: MetricUnit): void {
    const existing = metrics.get(metric);
    if (existing === undefined) metrics.set(metric, { unit, values: [value] });
    else existing.values.push(value);
    if (existing?.values.length === valuesPerLineMax) flush();
  }

  return {
    log(level, message, fields = {}) {
      if (level === 'info' && !writesInfo) return;
      const shown = level === 'notice' ? 'INFO' : level.toUpperCase();
      const about = { level: shown, message, timestamp: new Date().toISOString(), service };
      const given = typeof fields === 'function' ? fields() : fields;
      write({ ...about, xray_trace_id: traceId(), ...given });
    },
    count: (metric, times = 1) => measure(metric, times, 'Count'),
    measure,
    flush,
  };
}

const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Which trace the invocation belongs to: `Root=1-…;Parent=…;Sampled=…`. */
const traceId = (): string | undefined => process.env['_X_AMZN_TRACE_ID']?.match(/Root=([^;]+)/)?.[1];
