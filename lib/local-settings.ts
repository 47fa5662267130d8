import type { Construct } from 'constructs';
import { localContext } from '../lambdas/contract/deployment-metadata.ts';
import type { Configuration } from './configuration.ts';

/** What one machine has no counterpart of, and what a deployment shares: local mode must not reach that. */
const unavailable = {
  ...{ webhookUrl: undefined, webhookDomainName: undefined, webhookCertificateArn: undefined },
  ...{ webhookTruststoreUri: undefined, webhookTruststoreVersion: undefined },
  ...{ eventsTableName: undefined, ordersTableStreamArn: undefined, encryptionKeyArn: undefined },
  ...{ keySecretArn: undefined, tokenSecretArn: undefined, sealSecretArn: undefined },
  ...{ functionSubnetIds: undefined, functionSecurityGroupIds: undefined, privateEndpointIds: undefined },
  ...{ verifierProvisionedConcurrency: undefined, rollout: undefined, backupRetentionDays: undefined },
  // The audits of local mode read it.
  changesIndex: true,
  // Its calls would say that the deployment on AWS is well.
  deadMansSwitchUrl: undefined,
} satisfies Partial<Configuration>;

/**
 * The settings of a deployment, or for local mode those that work there, with its payment service. Local mode
 * cannot change the props of an app, so the deployment reads them from the context.
 */
export function settingsOf(scope: Construct, configuration: Configuration): Configuration {
  const local: Partial<Configuration> | undefined = scope.node.tryGetContext(localContext);
  // Nothing is billed there: every step is logged.
  return local === undefined
    ? configuration
    : { ...configuration, ...unavailable, logLevel: 'info', ...local };
}
