/**
 * What of a template local mode emulates and what it leaves out on purpose. Anything else is an error, so
 * that nothing of a deployment is missing here without somebody having decided it.
 */

/**
 * Resource types that change nothing of what happens to an event,
 * and of which one machine has no counterpart.
 */
export const typesLeftOut: ReadonlySet<string> = new Set([
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Archive',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  // How often a failed invocation is tried again.
  'AWS::Lambda::EventInvokeConfig',
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

export const emulatedTypes: Readonly<Record<string, Properties>> = {
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
  // Its addresses become this machine's, without TLS. Not ApiMappingKey: it would be a part of every path.
  'AWS::ApiGatewayV2::DomainName': {
    emulated: ['DomainName'],
    leftOut: ['DomainNameConfigurations', 'MutualTlsAuthentication', 'Tags'],
  },
  'AWS::ApiGatewayV2::ApiMapping': { emulated: [], leftOut: ['ApiId', 'DomainName', 'Stage'] },
  // Their times and their retries: a function that fails waits for its next turn.
  'AWS::Scheduler::Schedule': {
    emulated: ['ScheduleExpression', 'State', 'Target'],
    leftOut: [
      'Description',
      'FlexibleTimeWindow',
      'GroupName',
      'KmsKeyArn',
      'Name',
      'ScheduleExpressionTimezone',
    ],
  },
  // Not its times: RotateSecret rotates, and nothing else does.
  'AWS::SecretsManager::RotationSchedule': {
    emulated: ['RotationLambdaARN', 'SecretId'],
    leftOut: ['RotateImmediatelyOnUpdate', 'RotationRules'],
  },
  // Those over metrics that the functions count; who is told of them is left out.
  'AWS::CloudWatch::Alarm': {
    emulated: [
      'AlarmDescription',
      'AlarmName',
      'ComparisonOperator',
      'DatapointsToAlarm',
      'Dimensions',
      'EvaluationPeriods',
      'MetricName',
      'Metrics',
      'Namespace',
      'Period',
      'Statistic',
      'Threshold',
      'TreatMissingData',
    ],
    leftOut: ['ActionsEnabled', 'AlarmActions', 'InsufficientDataActions', 'OKActions', 'Tags', 'Unit'],
  },
};
