/** All that the model takes from the rest of the repository, so that a move there changes one file here. */

export { closeServer, type Endpoints, listen, synthesise } from '@payhooks/cdk-local';
export {
  createResources,
  createSqsEvent,
  type Emulators,
  functionEnvironment,
  readAssembly,
  readTemplate,
  startEmulators,
  type TableModel,
} from '@payhooks/cdk-local/emulators';
export { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
export type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
export { variables } from '../../lambdas/contract/environment.ts';
export { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
export * as limits from '../../lambdas/contract/limits.ts';
export * as reconcileLimits from '../../lambdas/contract/reconcile-limits.ts';
export { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
