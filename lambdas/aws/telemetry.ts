import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { optionalVariable, variables } from '../contract/environment.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * Powertools' logger and metrics; service and namespace come from the variables that the stack sets for it.
 */
export function createTelemetry(): Telemetry {
  const logger = new Logger();
  const writesInfo = optionalVariable(variables.logLevel) === 'info';
  const metrics = new Metrics();
  return {
    log(level, message, fields = {}) {
      if (level === 'info' && !writesInfo) return;
      logger[level === 'notice' ? 'info' : level](message, fields);
    },
    count(metric, times = 1) {
      metrics.addMetric(metric, MetricUnit.Count, times);
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
