import { Stack } from 'aws-cdk-lib';
import { Grant, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnRotationSchedule } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Encryption } from './encryption.ts';
import type { NodeFunction } from './node-function.ts';
import type { StackSecret } from './stack-secret.ts';

export interface RotatedSecret {
  readonly secret: StackSecret;
  /** The rotation function. */
  readonly by: NodeFunction;
  /** Such as `rate(24 hours)`. */
  readonly scheduleExpression: string;
  readonly encryption: Encryption;
}

/** Lets Secrets Manager rotate a secret with a function, which only its own secret may invoke. */
export function rotateSecret(
  scope: Construct,
  { secret: { secretArn }, by, scheduleExpression, encryption }: RotatedSecret,
): void {
  Grant.addToPrincipal({
    grantee: by,
    actions: [
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:PutSecretValue',
      'secretsmanager:UpdateSecretVersionStage',
    ],
    resourceArns: [secretArn],
  });
  encryption.grantEncrypt(by, 'secretsmanager');
  by.lambda.addPermission('Rotation', {
    principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
    sourceAccount: Stack.of(scope).account,
    sourceArn: secretArn,
  });
  // CDK's own schedule would let Secrets Manager invoke the function for the secrets of any account.
  const schedule = new CfnRotationSchedule(scope, 'Schedule', {
    secretId: secretArn,
    rotationLambdaArn: by.lambda.functionArn,
    rotationRules: { scheduleExpression },
    // A new value needs none, and where an operator stores the first one there is nothing to rotate yet.
    rotateImmediatelyOnUpdate: false,
  });
  // Secrets Manager tests the function when the schedule is created, so permission and role must exist.
  schedule.node.addDependency(by.lambda, by.role);
}
