import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { Encryption } from './encryption.ts';

export interface OperatorSecretProps {
  readonly description: string;
  readonly configuration: Configuration;
  readonly encryption: Encryption;
  /** An existing secret that is used instead of one of the stack. */
  readonly adoptedArn?: string | undefined;
}

/**
 * A secret without a value: the operator stores the first one. A generated value would be useless, and
 * CloudFormation would overwrite the operator's value with a new one if that property ever changed.
 */
export class OperatorSecret extends Construct {
  readonly secretArn: string;
  readonly #encryption: Encryption;

  constructor(scope: Construct, id: string, props: OperatorSecretProps) {
    super(scope, id);
    this.#encryption = props.encryption;
    this.secretArn = props.adoptedArn ?? this.#create(props);
  }

  /** Permits only GetSecretValue: a reader does not use DescribeSecret. */
  grantGetValue(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
    this.#encryption.grantDecrypt(grantee, 'secretsmanager');
  }

  /** Not CDK's `Secret`, which generates a value. */
  #create({ description, configuration: { keepData }, encryption: { key } }: OperatorSecretProps): string {
    const secret = new CfnSecret(this, 'Resource', {
      description,
      ...(key !== undefined && { kmsKeyId: key.keyArn }),
    });
    secret.applyRemovalPolicy(keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
    return secret.ref;
  }
}
