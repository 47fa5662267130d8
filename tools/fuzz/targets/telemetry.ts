import { createTelemetry } from '../../../lambdas/aws/telemetry.ts';
import { variables } from '../../../lambdas/contract/environment.ts';
import type { Telemetry } from '../../../lambdas/ports/telemetry.ts';

/** Telemetry as a deployed function has it; its lines go to this process's outputs. */
export function startTelemetry(): Telemetry {
  process.env[variables.metricsNamespace] ??= 'payhooks/fuzz';
  process.env[variables.serviceName] ??= 'fuzz';
  return createTelemetry();
}
