import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The name of a deployment, which no other in the account and region has. Physical names begin with it, and
 * the command line finds alarms by it.
 */
export const deploymentNameOf = (scope: Construct): string => Stack.of(scope).stackName;

/**
 * The namespace of the metrics of a deployment. In a namespace of two, such as that of an environment, the
 * heartbeats of one deployment would keep the alarm of the other silent. No other name contains a slash.
 */
export const metricsNamespaceOf = (scope: Construct): string =>
  deploymentNameOf(scope).replace(/^payhooks-/, 'payhooks/');
