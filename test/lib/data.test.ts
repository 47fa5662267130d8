import { describe, expect, it } from 'vitest';
import { expiryAttribute, tables } from '../../tools/simulation/aws/dynamodb/tables.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const kept = [
  'AWS::DynamoDB::Table',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
  'AWS::Logs::LogGroup',
];

const oauth = { paymentServiceBaseUrl: 'https://pay.example.com', paymentServiceAuthentication: 'oauth' };
const production = synthesise(oauth);
const development = synthesise({ ...oauth, environmentName: 'development' });

/** What each stack makes anew: the key of heartbeats and proof of requests. */
const holdsData = ([id]: readonly [string, unknown]): boolean => !id.startsWith('HeartbeatKeySecret');

describe('every resource that holds data', () => {
  it.each(kept)('of the type %s outlives the stack, unless keepData is false', (type) => {
    const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    const deleted = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };
    const [kept, thrownAway] = [production, development].map((stack) => stack.ofType(type).filter(holdsData));
    expect(kept?.length).toBeGreaterThan(0);
    expect(thrownAway).toHaveLength(kept?.length ?? 0);
    for (const [, resource] of kept ?? []) expect(resource).toMatchObject(retained);
    for (const [, resource] of thrownAway ?? []) expect(resource).toMatchObject(deleted);
  });

  it('that proves the acts of operators cannot be deleted, unless keepData is false', () => {
    const id = production.idAt('Operations/Function/Logs');
    const protectedIn = (stack: typeof production) =>
      stack.resources.get(id)?.Properties['DeletionProtectionEnabled'];
    expect([production, development].map(protectedIn)).toEqual([true, undefined]);
  });

  it('belongs to a stack with termination protection, unless keepData is false', () => {
    expect([production.terminationProtection, development.terminationProtection]).toEqual([true, false]);
  });
});

describe('the tables', () => {
  it.each([
    ['production', production, true],
    ['development', development, false],
  ])('of %s are protected as keepData says, encrypted and billed per request', (_, stack, keepData) => {
    for (const properties of stack.propertiesOf('AWS::DynamoDB::Table')) {
      expect(properties).toMatchObject({
        DeletionProtectionEnabled: keepData,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: keepData },
        SSESpecification: { SSEEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
      });
    }
  });

  it.each([
    ['events', 'Tables/Events'],
    ['orders', 'Tables/Orders'],
  ] as const)(
    'of %s have the keys, the indexes and the expiry that the simulation works with',
    (name, path) => {
      const { Properties: deployed } = production.at(path);
      const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions } = tables[name];
      expect(deployed).toMatchObject({
        ...{ KeySchema, GlobalSecondaryIndexes },
        AttributeDefinitions: expect.arrayContaining([...AttributeDefinitions]),
        TimeToLiveSpecification: { AttributeName: expiryAttribute, Enabled: true },
      });
    },
  );

  it('keep neither the index of changes nor rows of transactions, if the settings say so', () => {
    const without = synthesise({ changesIndex: false, transactionRows: false });
    expect(without.at('Tables/Orders').Properties).not.toHaveProperty('GlobalSecondaryIndexes');
    const both = { NO_CHANGES_INDEX: 'true', NO_TRANSACTION_ROWS: 'true' };
    expect(without.variablesOf('OrderQuery')).toMatchObject(both);
    for (const stage of ['Consumer', 'Operations'])
      expect(without.variablesOf(stage)).toMatchObject({ NO_TRANSACTION_ROWS: 'true' });
    expect(JSON.stringify([...production.resources])).not.toMatch(/NO_CHANGES_INDEX|NO_TRANSACTION_ROWS/);
  });

  it('have the class of AWS, unless the table of events is to be stored for less', () => {
    const cheaper = synthesise({ ...oauth, eventsTableClass: 'infrequent-access' });
    const classesOf = (stack: typeof cheaper) =>
      stack.propertiesOf('AWS::DynamoDB::Table').map((table) => table['TableClass']);
    expect(classesOf(cheaper)).toEqual(['STANDARD_INFREQUENT_ACCESS', undefined]);
    expect(classesOf(production)).toEqual([undefined, undefined]);
  });
});

it('with backupRetentionDays both tables are backed up every day, in a vault whose lock becomes final', () => {
  const stack = synthesise(everySetting);
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

it('no secret of an operator has a value in the template: CloudFormation would overwrite the stored one', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret').filter(holdsData);
  const withValue = secrets.filter(([, { Properties }]) => 'GenerateSecretString' in Properties);
  expect(withValue.map(([id]) => production.pathOf(id))).toEqual(['Seal/Secret']);
  for (const [, { Properties }] of secrets) expect(Properties).not.toHaveProperty('SecretString');
});
