import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * Powertools' logger and metrics; service and namespace come from the variables that the stack sets for it.
 */
export function createTelemetry(): Telemetry {
  const logger = new Logger();
  const metrics = new Metrics();
  return {
    log(level, message, fields = {}) {
      logger[level](message, fields);
    },
    count(metric) {
      metrics.addMetric(metric, MetricUnit.Count, 1);
    },
    measure(metric, value, unit) {
      metrics.addMetric(metric, unit, value);
    },
    flush() {
      // Powertools warns about an invocation without metrics, which is every one that went well.
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
