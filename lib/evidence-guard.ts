import { Effect, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { StageLogs } from './stage-logs.ts';

/**
 * Denies every role of a deployment what takes lines away from the log of the operations function, which proves
 * the acts of operators (ADR 24), whatever else they are ever permitted.
 */
export function guardEvidence(deployment: Construct, { logGroupArn }: StageLogs): void {
  for (const role of deployment.node.findAll()) {
    if (!(role instanceof Role)) continue;
    role.addToPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: takingAway.map((action) => `logs:${action}`),
        resources: [logGroupArn],
      }),
    );
  }
}

const takingAway = [
  ...['DeleteLogGroup', 'DeleteLogStream', 'PutLogGroupDeletionProtection'],
  ...['PutRetentionPolicy', 'DeleteRetentionPolicy', 'AssociateKmsKey', 'DisassociateKmsKey'],
];
