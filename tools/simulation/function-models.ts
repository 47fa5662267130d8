import { variables } from '../../lambdas/contract/environment.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import { ownApiOf } from '../../lambdas/contract/own-api.ts';
import type { RunSettings } from './history.ts';
import type { Stage } from './lambda/bundles.ts';
import type { FunctionModel } from './lambda/functions.ts';

export const queueUrl = 'https://sqs.us-east-1.amazonaws.com/111111111111/events';
export const keySecretArn = 'arn:aws:secretsmanager:us-east-1:111111111111:secret:keys';
export const proofSecretArn = 'arn:aws:secretsmanager:us-east-1:111111111111:secret:proof';
/** How the function of the operations API knows it, and what its stage adds to each event. */
export const operationsApi = { accountId: '111111111111', apiId: 'operations', stage: '$default' } as const;
export const proof = '0'.repeat(64);
export const sealSecretArn = 'arn:aws:secretsmanager:us-east-1:111111111111:secret:seal';
export const visibilitySeconds = limits.queueVisibilitySeconds;

const waitingCountOf = { timeoutSeconds: limits.waitingCountTimeoutSeconds, instancesMax: 1 };
const queryOf = { timeoutSeconds: limits.orderQueryTimeoutSeconds, instancesMax: 3 };

/** The functions as the stack configures them, with few instances each. */
export function functionModels(settings: RunSettings): Readonly<Record<Stage, FunctionModel>> {
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    [variables.metricsNamespace]: 'payhooks/simulation',
    [variables.signatureHeader]: settings.signatureHeader,
    [variables.keySecretArn]: keySecretArn,
    [variables.sealSecretArn]: sealSecretArn,
    [variables.eventQueueUrl]: queueUrl,
    [variables.eventsTableName]: 'events',
    [variables.ordersTableName]: 'orders',
    [variables.feedBusName]: 'payhooks',
    [variables.ownApi]: ownApiOf(operationsApi),
    [variables.proofSecretArn]: proofSecretArn,
    ...(settings.sequenceBase > 0 && { [variables.sequenceBase]: String(settings.sequenceBase) }),
    ...(settings.eventRetentionDays !== undefined && {
      [variables.eventRetentionDays]: String(settings.eventRetentionDays),
    }),
  };
  const model = (stage: Stage, bounds: Omit<FunctionModel, 'environment'>): FunctionModel => ({
    ...bounds,
    environment: { ...environment, [variables.serviceName]: stage, AWS_LAMBDA_FUNCTION_NAME: stage },
  });
  return {
    verifier: model('verifier', { timeoutSeconds: limits.verifierTimeoutSeconds, instancesMax: 4 }),
    consumer: model('consumer', { timeoutSeconds: limits.consumerTimeoutSeconds, instancesMax: 3 }),
    'order-feed': model('order-feed', { timeoutSeconds: limits.orderFeedTimeoutSeconds, instancesMax: 8 }),
    'order-query': model('order-query', queryOf),
    operations: model('operations', queryOf),
    'waiting-count': model('waiting-count', waitingCountOf),
  };
}
