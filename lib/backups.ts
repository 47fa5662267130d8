import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { deploymentNameOf } from './deployment-name.ts';
import type { Encryption } from './encryption.ts';
import type { Tables } from './tables.ts';

export interface BackupsProps {
  readonly retentionDays: number;
  readonly encryption: Encryption;
  readonly alarms: Alarms;
  readonly tables: Tables;
}

/** AWS lets the lock be removed for this long, and never again; three days are its least. */
const lockChangeableDays = 3;

/**
 * A backup of both tables every day, in a vault whose lock no one can remove: unlike point-in-time recovery
 * it outlives the table, its settings, and a mistake in the account.
 */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { retentionDays, encryption, alarms, tables }: BackupsProps) {
    super(scope, id);
    const name = deploymentNameOf(this);
    const vault = new BackupVault(this, 'Vault', {
      // CDK makes the name from ids, which the stacks of two environments may share.
      ...(name !== Stack.of(this).node.id && { backupVaultName: name }),
      lockConfiguration: {
        minRetention: Duration.days(retentionDays),
        changeableFor: Duration.days(lockChangeableDays),
      },
      // With a key of AWS: backups also help who has lost the key of the tables.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const rule = new BackupPlanRule({
      ruleName: 'daily',
      scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
      deleteAfter: Duration.days(retentionDays),
    });
    const plan = new BackupPlan(this, 'Plan', { backupVault: vault, backupPlanRules: [rule] });
    const arns = [tables.events.tableArn, tables.orders.tableArn];
    plan.addSelection('Tables', {
      role: this.#createRole(arns, encryption),
      disableDefaultBackupPolicy: true,
      resources: arns.map(BackupResource.fromArn),
    });
    alarms.add('BackupFailed', {
      meaning: 'AWS Backup could not back up a table: its newest backup in the vault is a day old or older.',
      metric: new Metric({
        namespace: 'AWS/Backup',
        metricName: 'NumberOfBackupJobsFailed',
        dimensionsMap: { BackupVaultName: vault.backupVaultName },
        statistic: 'Sum',
        period: Duration.days(1),
      }),
    });
  }

  /** Instead of AWS's managed policy, which may read every resource of the account. */
  #createRole(tableArns: string[], encryption: Encryption): Role {
    const assumedBy = new ServicePrincipal('backup.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
    const role = new Role(this, 'Role', { assumedBy });
    const backingUp = ['DescribeTable', 'ListTagsOfResource', 'CreateBackup', 'StartAwsBackupJob'];
    const actions = backingUp.map((action) => `dynamodb:${action}`);
    role.addToPolicy(new PolicyStatement({ actions, resources: tableArns }));
    encryption.grantEncrypt(role, 'dynamodb');
    return role;
  }
}
