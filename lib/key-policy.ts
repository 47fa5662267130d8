import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { deploymentNameOf } from './deployment-name.ts';

/**
 * A KMS grant outlives the policy. Only services that encrypt at rest need one: DynamoDB for its tables,
 * Lambda for the variables of its functions.
 */
export function noGrants(): PolicyStatement {
  return new PolicyStatement({
    sid: 'NoGrants',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:CreateGrant'],
    resources: ['*'],
    conditions: {
      BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' },
    },
  });
}

/**
 * What the key of everything that is stored permits to services of AWS. They act for themselves, so no
 * policy of a role can permit it. Names instead of references: the log groups and the bus need the key
 * first.
 */
export function serviceStatements(scope: Construct): PolicyStatement[] {
  const { region } = Stack.of(scope);
  // A nested stack, whose name begins with this one, may wait for the key.
  const [{ stackName } = Stack.of(scope)] = scope.node.scopes.filter(Stack.isStack);
  const logs = Stack.of(scope).formatArn({
    service: 'logs',
    resource: `log-group:${stackName}-*`,
  });
  const bus = Stack.of(scope).formatArn({
    service: 'events',
    resource: 'event-bus',
    resourceName: deploymentNameOf(scope),
  });
  const events = new ServicePrincipal('events.amazonaws.com');
  return [
    new PolicyStatement({
      sid: 'LogGroups',
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
      resources: ['*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': logs } },
    }),
    new PolicyStatement({
      sid: 'BusAndArchive',
      principals: [events],
      actions: ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:ReEncrypt*'],
      resources: ['*'],
      // An archive has the context of its bus. AWS documents `aws:SourceArn` for the bus alone.
      conditions: { StringEquals: { 'kms:EncryptionContext:aws:events:event-bus:arn': bus } },
    }),
    new PolicyStatement({
      sid: 'BusAndArchiveDescribe',
      principals: [events],
      // Has no encryption context; AWS documents it without a condition.
      actions: ['kms:DescribeKey'],
      resources: ['*'],
    }),
  ];
}
