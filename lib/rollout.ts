import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { AlarmName } from '../lambdas/contract/alarm-guide.ts';
import type { Alarms } from './alarms.ts';
import type { Consumer } from './consumer.ts';
import type { RolloutName } from './rollout-names.ts';
import type { Verifier } from './verifier.ts';

export interface RolloutProps {
  readonly rollout: RolloutName;
  readonly verifier: Verifier;
  readonly consumer: Consumer;
  readonly alarms: Alarms;
}

/** What a faulty version shows first. Others may fire for days because of what was sent. */
const alarmsOf: Readonly<Record<'Verifier' | 'Consumer', readonly AlarmName[]>> = {
  Verifier: ['WebhookServerErrors', 'WebhooksRefused'],
  Consumer: ['ConsumerErrors', 'RecordsRetried', 'DeadLettersPresent'],
};

/**
 * Moves the calls of verifier and consumer to a new version in the steps of the setting `rollout`, and back
 * at once when one of their alarms fires. It starts no move while one of them is on.
 */
export class Rollout extends Construct {
  constructor(scope: Construct, id: string, { rollout, verifier, consumer, alarms }: RolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    for (const [stage, { lambda, alias }] of [
      ['Verifier', verifier.function],
      ['Consumer', consumer.function],
    ] as const) {
      if (alias === undefined) throw new Error(`The ${stage} has no alias to roll out.`);
      // IAM knows aliases in the last of these alone. An alias waits for its group, which waits for the role.
      const { functionArn } = lambda;
      role.addToPolicy(
        new PolicyStatement({
          actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
          resources: [functionArn, `${functionArn}:*`],
        }),
      );
      const group = new LambdaDeploymentGroup(this, stage, {
        application,
        // CDK would add a policy of AWS that also invokes functions and reads buckets.
        role: role.withoutPolicyUpdates(),
        alias,
        deploymentConfig: LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
          this,
          `${stage}Steps`,
          `CodeDeployDefault.${rollout}`,
        ),
        alarms: alarmsOf[stage].map((name) => alarms.node.findChild(name) as unknown as IAlarm),
      });
      group.node.addDependency(role);
    }
  }
}
