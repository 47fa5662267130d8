import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import { tokenRefreshIntervalHours, tokenRefreshTimeoutSeconds } from '../lambdas/contract/limits.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { rotateSecret } from './secret-rotation.ts';
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
      environment: {
        [variables.tokenSecretArn]: this.tokenSecret.secretArn,
        [variables.paymentServiceBaseUrl]: props.paymentServiceBaseUrl,
      },
      configuration,
      encryption,
    });
    rotateSecret(this, {
      secret: this.tokenSecret,
      by: this.function,
      scheduleExpression: `rate(${tokenRefreshIntervalHours} hours)`,
      encryption,
    });
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
}
