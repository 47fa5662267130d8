/**
 * What of a template local mode emulates and what it leaves out on purpose. Anything else is an error, so
 * that nothing of a deployment is missing here without somebody having decided it.
 */

/**
 * Resource types that change nothing of what happens to an event,
 * and of which one machine has no counterpart.
 */
const typesLeftOut: ReadonlySet<string> = new Set([
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Archive',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::ResourcePolicy',
]);

interface Properties {
  readonly emulated: readonly string[];
  readonly leftOut: readonly string[];
}

const emulatedTypes: Readonly<Record<string, Properties>> = {
  'AWS::SQS::Queue': {
    emulated: [
      'DelaySeconds',
      'MaximumMessageSize',
      'MessageRetentionPeriod',
      'ReceiveMessageWaitTimeSeconds',
      'RedrivePolicy',
      'VisibilityTimeout',
    ],
    leftOut: [
      'KmsDataKeyReusePeriodSeconds',
      'KmsMasterKeyId',
      'QueueName',
      'RedriveAllowPolicy',
      'SqsManagedSseEnabled',
      'Tags',
    ],
  },
  'AWS::DynamoDB::Table': {
    emulated: [
      'AttributeDefinitions',
      'GlobalSecondaryIndexes',
      'KeySchema',
      'LocalSecondaryIndexes',
      'StreamSpecification',
    ],
    leftOut: [
      'BillingMode',
      'ContributorInsightsSpecification',
      'DeletionProtectionEnabled',
      'OnDemandThroughput',
      'PointInTimeRecoverySpecification',
      'ProvisionedThroughput',
      'ResourcePolicy',
      'SSESpecification',
      'TableClass',
      'TableName',
      'Tags',
      'TimeToLiveSpecification',
      'WarmThroughput',
    ],
  },
  // Local mode puts a value of its own into a secret.
  'AWS::SecretsManager::Secret': {
    emulated: [],
    leftOut: [
      'Description',
      'GenerateSecretString',
      'KmsKeyId',
      'Name',
      'ReplicaRegions',
      'SecretString',
      'Tags',
    ],
  },
  'AWS::Lambda::Function': {
    emulated: ['Code', 'Environment', 'Handler', 'MemorySize', 'Timeout'],
    leftOut: [
      'Architectures',
      'Description',
      'FunctionName',
      'KmsKeyArn',
      'LoggingConfig',
      'ReservedConcurrentExecutions',
      'Role',
      'Runtime',
      'RuntimeManagementConfig',
      'Tags',
      'TracingConfig',
    ],
  },
  // Rules are not emulated: `GET /feed` shows what is put on the bus.
  'AWS::Events::EventBus': {
    emulated: [],
    leftOut: ['DeadLetterConfig', 'Description', 'KmsKeyIdentifier', 'LogConfig', 'Name', 'Policy', 'Tags'],
  },
  // Not FilterCriteria: a message that a filter leaves out is deleted, which must not go unseen here.
  'AWS::Lambda::EventSourceMapping': {
    emulated: [
      'BatchSize',
      'BisectBatchOnFunctionError',
      'DestinationConfig',
      'Enabled',
      'EventSourceArn',
      'FunctionName',
      'FunctionResponseTypes',
      'MaximumBatchingWindowInSeconds',
      'MaximumRecordAgeInSeconds',
      'MaximumRetryAttempts',
      'ParallelizationFactor',
      'ScalingConfig',
    ],
    leftOut: ['MetricsConfig', 'StartingPosition', 'Tags'],
  },
  'AWS::ApiGatewayV2::Api': {
    emulated: ['ProtocolType'],
    leftOut: ['Description', 'DisableExecuteApiEndpoint', 'IpAddressType', 'Name', 'Tags', 'Version'],
  },
  'AWS::ApiGatewayV2::Stage': {
    emulated: ['StageName'],
    leftOut: [
      'AccessLogSettings',
      'ApiId',
      'AutoDeploy',
      'DefaultRouteSettings',
      'Description',
      'RouteSettings',
      'Tags',
    ],
  },
  'AWS::ApiGatewayV2::Route': {
    emulated: ['AuthorizationType', 'RouteKey', 'Target'],
    leftOut: ['ApiId', 'OperationName'],
  },
  'AWS::ApiGatewayV2::Integration': {
    emulated: ['IntegrationType', 'IntegrationUri', 'PayloadFormatVersion'],
    leftOut: ['ApiId', 'Description', 'IntegrationMethod'],
  },
};

export interface CheckedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly propertyNames: readonly string[];
}

/**
 * A sentence about the first thing in these resources that is neither emulated nor left out, if there is one.
 */
export function findUncovered(resources: readonly CheckedResource[]): string | undefined {
  for (const { logicalId, type, propertyNames } of resources) {
    if (typesLeftOut.has(type)) continue;
    const known = emulatedTypes[type];
    const listed = 'emulate it, or list it in local/template/coverage.ts as left out';
    if (known === undefined)
      return `${logicalId} is of the type ${type}, which local mode does not know: ${listed}.`;
    const unknown = propertyNames.find(
      (name) => !known.emulated.includes(name) && !known.leftOut.includes(name),
    );
    if (unknown !== undefined) {
      return `${logicalId}.${unknown} (${type}) is a property that local mode does not know: ${listed}.`;
    }
  }
  return undefined;
}
