import { RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { type ISecurityGroup, type IVpc, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import { type Configuration, ConfigurationError, readSettings } from './configuration.ts';
import type { PayhooksProps } from './payhooks-props.ts';
import type { SettingName } from './settings.ts';

/**
 * The settings that these props are. Throws a `ConfigurationError` that lists everything that is wrong, and
 * the problems that are known already.
 */
export function configurationOf(scope: Construct, props: PayhooksProps, problems: string[]): Configuration {
  const { account, region } = Stack.of(scope);
  const known = (value: string): string | undefined => (Token.isUnresolved(value) ? undefined : value);
  const given: Partial<Record<string, unknown>> = { ...props, ...translated(scope, props) };
  const target = { account: known(account), region: known(region) };
  const configuration = readSettings((setting) => given[setting], target, problems);
  if (props.ordersTable !== undefined && props.ordersTable.tableStreamArn === undefined)
    problems.push('ordersTable: given a table without tableStreamArn, expected one with a stream.');
  if (problems.length > 0)
    throw new ConfigurationError(problems, `These are the props of ${scope.node.path}.`);
  return configuration;
}

/** The props whose name is not that of their setting, and those that are resources, as settings have them. */
function translated(deployment: Construct, props: PayhooksProps): Partial<Record<SettingName, unknown>> {
  const { webhookDomain, vpc, encryptionKey, eventsTableClass, expectWebhooksWithin } = props;
  const { truststore } = webhookDomain ?? {};
  const subnets = vpc?.selectSubnets(props.vpcSubnets);
  const groups = props.securityGroups ?? (vpc && [createGroup(deployment, vpc)]);
  return {
    webhookDomainName: webhookDomain?.domainName,
    webhookCertificateArn: webhookDomain?.certificate.certificateArn,
    webhookTruststoreUri: truststore && `s3://${truststore.bucket.bucketName}/${truststore.key}`,
    webhookTruststoreVersion: truststore?.version,
    functionSubnetIds: subnets?.isPendingLookup ? pendingSubnetIds : subnets?.subnetIds,
    functionSecurityGroupIds: groups?.map(({ securityGroupId }) => securityGroupId),
    privateEndpointIds: props.privateEndpoints?.map(({ vpcEndpointId }) => vpcEndpointId),
    keepData: props.removalPolicy !== RemovalPolicy.DESTROY,
    eventsTableName: props.eventsTable?.tableName,
    ordersTableStreamArn: props.ordersTable?.tableStreamArn,
    keySecretArn: props.keySecret?.secretFullArn,
    tokenSecretArn: props.tokenSecret?.secretFullArn,
    sealSecretArn: props.sealSecret?.secretFullArn,
    encryptionKeyArn: typeof encryptionKey === 'object' ? encryptionKey.keyArn : encryptionKey,
    batchWindowSeconds: props.batchWindow?.toSeconds(),
    eventRetentionDays: props.eventRetention?.toDays(),
    backupRetentionDays: props.backupRetention?.toDays(),
    eventsTableClass: eventsTableClass && classNames[eventsTableClass],
    logRetentionDays: props.logRetention,
    accessLogRetentionDays: props.accessLogRetention,
    evidenceRetentionDays: props.evidenceRetention,
    alarmTopicArn: props.alarmTopic?.topicArn,
    ticketTopicArn: props.ticketTopic?.topicArn,
    expectWebhooksWithin: expectWebhooksWithin && `${expectWebhooksWithin.toHours()}h`,
    operatorRoleArn: props.operatorRole?.roleArn,
    tableAdminRoleArn: props.tableAdminRole?.roleArn,
  };
}

/** For a VPC that CDK has yet to look up, which it does once the app is synthesised without an error. */
const pendingSubnetIds = ['subnet-00000001', 'subnet-00000002'];

const createGroup = (deployment: Construct, vpc: IVpc): ISecurityGroup =>
  new SecurityGroup(deployment, 'SecurityGroup', { vpc, description: 'The functions of payhooks' });

const classNames = {
  [TableClass.STANDARD]: 'standard',
  [TableClass.STANDARD_INFREQUENT_ACCESS]: 'infrequent-access',
};
