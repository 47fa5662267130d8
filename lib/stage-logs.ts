import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { Encryption } from './encryption.ts';

export interface StageLogsProps {
  readonly configuration: Configuration;
  readonly encryption: Encryption;
  /** In days; `logRetentionDays` by default. */
  readonly retention?: number;
  /** Whether the group cannot be deleted, unless data goes with the stack. */
  readonly isProtected?: boolean;
}

/** A log group with a retention of the environment, which outlives the stack with `keepData`. */
export class StageLogs extends LogGroup {
  constructor(scope: Construct, id: string, props: StageLogsProps) {
    const { configuration, encryption } = props;
    super(scope, id, {
      ...encryption.as('encryptionKey'),
      retention: props.retention ?? configuration.logRetentionDays,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(props.isProtected && configuration.keepData && { deletionProtectionEnabled: true }),
    });
  }
}
