import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { type CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';

export interface OperatorSecretProps {
  readonly description: string;
  readonly configuration: Configuration;
}

/**
 * A secret without a value: the operator stores the first one. A generated value would be useless, and
 * CloudFormation would overwrite the operator's value with a new one if that property ever changed.
 */
export class OperatorSecret extends Secret {
  constructor(scope: Construct, id: string, { description, configuration }: OperatorSecretProps) {
    super(scope, id, {
      description,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    (this.node.defaultChild as CfnSecret).generateSecretString = undefined;
  }

  /** Permits only GetSecretValue; `grantRead` also permits DescribeSecret, which a reader does not use. */
  grantGetValue(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }
}
