import { expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise(everySetting);

it('with backupRetentionDays both tables are backed up every day, in a vault whose lock becomes final', () => {
  const vault = stack.at('Backups/Vault');
  expect(vault).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  expect(vault.Properties['LockConfiguration']).toEqual({ MinRetentionDays: 90, ChangeableForDays: 3 });
  // The loss of the stack's key must not be the loss of its backups.
  expect(vault.Properties['EncryptionKeyArn']).toBeUndefined();
  const [plan] = stack.propertiesOf('AWS::Backup::BackupPlan');
  expect(plan?.['BackupPlan']).toMatchObject({
    BackupPlanRule: [{ ScheduleExpression: 'cron(0 3 * * ? *)', Lifecycle: { DeleteAfterDays: 90 } }],
  });
  const { Properties } = stack.at('Backups/Plan/Tables');
  const { Resources } = Properties['BackupSelection'] as { Resources: readonly unknown[] };
  expect(Resources.map((arn) => stack.pathOf(arn))).toEqual(['Tables/Events', 'Tables/Orders']);
});
