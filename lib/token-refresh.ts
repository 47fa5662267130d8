import { Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Grant, type IGrantable, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnRotationSchedule } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import {
  functionMemoryMegabytes,
  tokenRefreshIntervalHours,
  tokenRefreshTimeoutSeconds,
} from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { StackSecret } from './stack-secret.ts';

export interface TokenRefreshProps extends StageProps {
  readonly paymentServiceBaseUrl: string;
}

/** Stores the OAuth token of the payment account and rotates it before it expires. */
export class TokenRefresh extends Construct {
  readonly tokenSecret: StackSecret;
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: TokenRefreshProps) {
    super(scope, id);
    const { configuration, encryption } = props;
    this.tokenSecret = new StackSecret(this, 'TokenSecret', {
      description: 'The OAuth client of the payment account and its tokens; npx payhooks token set fills it.',
      isKept: configuration.keepData,
      adoptedArn: configuration.tokenSecretArn,
      encryption,
    });
    this.function = new NodeFunction(this, 'Function', {
      stage: 'token-refresh',
      description: 'Rotates the OAuth token of the payment account.',
      timeoutSeconds: tokenRefreshTimeoutSeconds,
      memoryMegabytes: functionMemoryMegabytes,
      environment: {
        [variables.tokenSecretArn]: this.tokenSecret.secretArn,
        [variables.paymentServiceBaseUrl]: props.paymentServiceBaseUrl,
      },
      configuration,
      encryption,
    });
    Grant.addToPrincipal({
      grantee: this.function,
      actions: [
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      resourceArns: [this.tokenSecret.secretArn],
    });
    encryption.grantEncrypt(this.function, 'secretsmanager');
    this.#schedule();
    this.#watch(props.alarms);
  }

  /**
   * Lets a reader of the token start a rotation: `RotateSecret` also needs permission to invoke the function.
   */
  grantInvoke(reader: IGrantable): void {
    Grant.addToPrincipal({
      grantee: reader,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [this.function.lambda.functionArn],
    });
  }

  #schedule(): void {
    const { lambda } = this.function;
    const { secretArn } = this.tokenSecret;
    lambda.addPermission('Rotation', {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceAccount: Stack.of(this).account,
      sourceArn: secretArn,
    });
    // CDK's own schedule would let Secrets Manager invoke the function for the secrets of any account.
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: secretArn,
      rotationLambdaArn: lambda.functionArn,
      rotationRules: { scheduleExpression: `rate(${tokenRefreshIntervalHours} hours)` },
      // There is nothing to rotate before the first token is stored.
      rotateImmediatelyOnUpdate: false,
    });
    // Secrets Manager tests the function when the schedule is created, so permission and role must exist.
    schedule.node.addDependency(lambda, this.function.role);
  }

  #watch(alarms: Alarms): void {
    alarms.add('TokenRefreshFailed', {
      meaning:
        'The OAuth token was not renewed: wrong client secret, refused refresh token, or a fault; the log ' +
        'of token-refresh shows which. The current access token works until it expires.',
      metric: new MathExpression({
        expression: 'FILL(failed, 0) + FILL(crashed, 0)',
        usingMetrics: {
          failed: this.function.metric(metricNames.tokenRefreshFailed),
          // A function that times out or cannot start counts nothing itself.
          crashed: this.function.lambda.metricErrors(),
        },
      }),
    });
  }
}
