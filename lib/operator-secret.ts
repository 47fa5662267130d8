import { RemovalPolicy } from 'aws-cdk-lib';
import { type CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';

export interface OperatorSecretProps {
  readonly description: string;
  readonly configuration: Configuration;
}

/**
 * A secret without any value: a person puts the first one in. A generated one would be good for nothing, and
 * CloudFormation would generate it anew, over the operator's, should that property ever change.
 */
export class OperatorSecret extends Secret {
  constructor(scope: Construct, id: string, { description, configuration }: OperatorSecretProps) {
    super(scope, id, {
      description,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    (this.node.defaultChild as CfnSecret).generateSecretString = undefined;
  }
}
