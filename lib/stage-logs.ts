import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';

/** A log group with a retention of the environment, which outlives the stack with `keepData`. */
export class StageLogs extends LogGroup {
  constructor(
    scope: Construct,
    id: string,
    configuration: Configuration,
    retention = configuration.logRetentionDays,
  ) {
    super(scope, id, {
      retention,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
