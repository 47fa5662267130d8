/** All that the model takes from the rest of the repository, so that a move there changes one file here. */

export type { TableModel } from '@payhooks/cdk-local';
export {
  closeServer,
  createResources,
  createSqsEvent,
  type Emulators,
  type Endpoints,
  functionEnvironment,
  listen,
  readTemplate,
  startEmulators,
} from '@payhooks/cdk-local';
export { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
export { variables } from '../../lambdas/contract/environment.ts';
export * as limits from '../../lambdas/contract/limits.ts';
export { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
export { synthesise } from '../../local/pipeline/synthesise.ts';
