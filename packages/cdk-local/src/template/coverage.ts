import * as v from 'valibot';
import { alarmProperties } from './alarms.ts';
import { definitionProperties, mappingProperties, rotationProperties } from './invocations.ts';
import { logGroupProperties, metricFilterProperties, stageProperties } from './log-groups.ts';
import {
  apiProperties,
  functionProperties,
  integrationProperties,
  type Properties,
  queueProperties,
  type Resource,
  routeProperties,
  tableProperties,
} from './resources.ts';
import { ruleProperties } from './rules.ts';
import { object, TemplateError } from './schema.ts';
import { secretProperties } from './secrets.ts';

const names = (text: string): readonly string[] => text.split(/\s+/).filter((name) => name !== '');

/**
 * Resource types that change nothing of what happens to an event, or that one machine has no counterpart of.
 */
const ignoredTypes = names(`
  AWS::CDK::Metadata AWS::CloudWatch::Dashboard AWS::EC2::SecurityGroup AWS::Events::Archive
  AWS::Events::EventBusPolicy AWS::IAM::ManagedPolicy AWS::IAM::Policy AWS::IAM::Role AWS::KMS::Alias
  AWS::KMS::Key AWS::Lambda::EventInvokeConfig AWS::Lambda::Permission AWS::Logs::QueryDefinition
  AWS::SNS::Subscription AWS::SNS::Topic AWS::SNS::TopicPolicy AWS::SQS::QueuePolicy AWS::SSM::Parameter
  AWS::SecretsManager::ResourcePolicy`);

/** Of any type. */
const labels = ['Description', 'Name', 'Tags'];
const cover = (emulated: Properties, ignored = ''): readonly string[] => [
  ...Object.keys(emulated.entries),
  ...labels,
  ...names(ignored),
];
const nothing = object({});

/**
 * The properties that are emulated, or ignored on purpose. Anything else is an error, so that no part of a
 * deployment is missing locally unless someone decided so.
 */
const emulatedTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::SQS::Queue': cover(
    queueProperties,
    'KmsDataKeyReusePeriodSeconds KmsMasterKeyId QueueName RedriveAllowPolicy SqsManagedSseEnabled',
  ),
  'AWS::DynamoDB::Table': cover(
    tableProperties,
    `BillingMode ContributorInsightsSpecification OnDemandThroughput ProvisionedThroughput ResourcePolicy
    SSESpecification TableClass TableName WarmThroughput`,
  ),
  // Without GenerateSecretString a secret begins without a value; `seed` is the place to set one.
  'AWS::SecretsManager::Secret': cover(secretProperties, 'KmsKeyId ReplicaRegions SecretString'),
  // The metadata of the resource names the folder with the code.
  'AWS::Lambda::Function': cover(
    object({ Code: v.unknown(), ...functionProperties.entries }),
    `Architectures FunctionName KmsKeyArn ReservedConcurrentExecutions Role Runtime RuntimeManagementConfig
    TracingConfig`,
  ),
  // Targets of rules are functions, invoked once. `events` holds what was put on the buses.
  'AWS::Events::Rule': cover(ruleProperties, 'RoleArn'),
  'AWS::Events::EventBus': cover(nothing, 'DeadLetterConfig KmsKeyIdentifier LogConfig Policy'),
  // Not FilterCriteria: AWS deletes a message that does not match, which must not go unnoticed here.
  // No batch waits for more records.
  'AWS::Lambda::EventSourceMapping': cover(
    mappingProperties,
    'MaximumBatchingWindowInSeconds MetricsConfig StartingPosition',
  ),
  'AWS::ApiGatewayV2::Api': cover(apiProperties, 'DisableExecuteApiEndpoint IpAddressType Version'),
  'AWS::ApiGatewayV2::Stage': cover(stageProperties, 'AutoDeploy DefaultRouteSettings RouteSettings'),
  'AWS::ApiGatewayV2::Route': cover(routeProperties, 'OperationName'),
  'AWS::ApiGatewayV2::Integration': cover(integrationProperties, 'ApiId IntegrationMethod'),
  // Without retries: after a failed invocation the next one is at its usual time.
  'AWS::Scheduler::Schedule': cover(definitionProperties, 'GroupName KmsKeyArn'),
  // Without its times: only RotateSecret starts a rotation.
  'AWS::SecretsManager::RotationSchedule': cover(
    rotationProperties,
    'RotateImmediatelyOnUpdate RotationRules',
  ),
  // Its lines are counted, and the latest are kept.
  'AWS::Logs::LogGroup': cover(
    logGroupProperties,
    'DataProtectionPolicy DeletionProtectionEnabled FieldIndexPolicies LogGroupClass LogGroupName',
  ),
  // It can be described, deleted and created again, but counts nothing.
  'AWS::Logs::MetricFilter': cover(metricFilterProperties, 'FilterName'),
  // Over metrics that the functions write, and over those of AWS that `aws-metrics.ts` adds.
  'AWS::CloudWatch::Alarm': cover(
    alarmProperties,
    'ActionsEnabled AlarmActions InsufficientDataActions OKActions Unit',
  ),
};

/** Throws a `TemplateError` about the first type or property that is neither emulated nor ignored. */
export function checkCoverage(resources: readonly Resource[]): void {
  for (const { logicalId, type, propertyNames } of resources) {
    if (ignoredTypes.includes(type)) continue;
    const known = emulatedTypes[type];
    if (known === undefined) {
      throw new TemplateError(`${logicalId} is of the type ${type}, which ${isUnknown}.`);
    }
    const unknown = propertyNames.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new TemplateError(`${logicalId}.${unknown} (${type}) is a property that ${isUnknown}.`);
    }
  }
}

const isUnknown = 'cdk-local neither emulates nor ignores: remove it, or add it to src/template/coverage.ts';
