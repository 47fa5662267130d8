import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Lambda } from '@aws-sdk/client-lambda';
import { Scheduler } from '@aws-sdk/client-scheduler';
import {
  createResources,
  openLogLines,
  readTemplate,
  secretArn,
  startEmulators,
  startMappings,
} from '@payhooks/cdk-local/emulators';
import { startService } from '@payhooks/payment-service/testing';
import { onTestFinished } from 'vitest';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const reports = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const arn = (logicalId: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [logicalId, attribute] });
const lambda = {
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'index.handler' },
  Metadata: { 'aws:asset:path': 'asset' },
};
const table = (properties: object) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ...properties,
  },
});
const kept = {
  DeletionProtectionEnabled: true,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
};

/** What the safeguards of a stack are about, in the form that CDK writes. */
const templateWith = ({ keepsData }: { readonly keepsData: boolean }) => ({
  Resources: {
    Keys: { Type: 'AWS::SecretsManager::Secret' },
    Key: { Type: 'AWS::KMS::Key' },
    Queue: { Type: 'AWS::SQS::Queue' },
    FeedFailures: { Type: 'AWS::SQS::Queue' },
    Events: table({
      ...(keepsData && kept),
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    }),
    Orders: table({
      ...(keepsData && kept),
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
    Consumer: lambda,
    Feed: lambda,
    ConsumerMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: arn('Queue'), FunctionName: { Ref: 'Consumer' }, ...reports },
    },
    FeedMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: arn('Orders', 'StreamArn'),
        FunctionName: { Ref: 'Feed' },
        DestinationConfig: { OnFailure: { Destination: arn('FeedFailures') } },
        ...reports,
      },
    },
    ConsumerLogs: {
      Type: 'AWS::Logs::LogGroup',
      Properties: { RetentionInDays: 30, KmsKeyId: arn('Key') },
    },
    Throttled: {
      Type: 'AWS::Logs::MetricFilter',
      Properties: {
        FilterPattern: '{ $.status = "429" }',
        LogGroupName: { Ref: 'ConsumerLogs' },
        MetricTransformations: [
          { MetricName: 'throttled', MetricNamespace: 'payhooks', MetricValue: '1', Unit: 'Count' },
        ],
      },
    },
    Audit: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Description: 'Audits the registration.',
        ScheduleExpression: 'rate(15 minutes)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: arn('Consumer'), RoleArn: 'role-arn' },
      },
    },
  },
});

interface Options {
  readonly keepsData?: boolean;
  /** Properties of the metric filter in the template that CloudFormation has. */
  readonly filter?: object;
  readonly outputs?: object;
  readonly now?: () => number;
}

/** A stack in local mode, with clients for the person who changes it by hand. */
export async function startSafeguardedStack(options: Options = {}) {
  const { keepsData = true, filter = {}, outputs = {}, now = Date.now } = options;
  const emulators = await startEmulators();
  onTestFinished(emulators.close);
  const { endpoints } = emulators;
  const template = templateWith({ keepsData });
  const assembly = { directory: '/out', stackName: 'payhooks-local', template };
  const model = readTemplate(assembly, { sqsEndpoint: endpoints.sqs, baseUrl: 'http://127.0.0.1:1' });
  await createResources(model, emulators);
  openLogLines({ model, logs: emulators.logs, add: () => {} });
  const { stackName: name, resources } = model;
  Object.assign(template.Resources.Throttled.Properties, filter);
  for (const resource of Object.values<{ readonly Type: string; readonly Metadata?: object }>(
    template.Resources,
  ))
    Object.assign(resource, { Metadata: { ...resource.Metadata, [deploymentMetadata]: name } });
  emulators.cloudFormation.show({ name, template, resources });
  for (const { name: schedule, definition } of model.scheduleDefinitions)
    emulators.scheduler.addSchedule(schedule, definition);
  const functions = { invoke: async () => ({ ok: true, payload: 'null' }) as const };
  onTestFinished(await startMappings({ model, emulators, functions, onFault: () => {}, now }));

  const stack = { stack: name, outputs: { KeySecretArn: secretArn('Keys'), ...outputs }, endpoints };
  const { baseUrl: url } = await startService({ json: stack });
  const at = (endpoint: string) => ({ region: 'us-east-1', credentials, endpoint });
  const clients = {
    dynamodb: new DynamoDB(at(endpoints.dynamodb)),
    lambda: new Lambda(at(endpoints.lambda)),
    logs: new CloudWatchLogs(at(endpoints.logs)),
    scheduler: new Scheduler(at(endpoints.scheduler)),
  };
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  const mappingOf = async (functionName: 'Consumer' | 'Feed') => {
    const { EventSourceMappings = [] } = await clients.lambda.listEventSourceMappings({
      FunctionName: functionName,
    });
    return EventSourceMappings[0] ?? {};
  };
  return {
    ...{ url, clients, mappingOf, fail: emulators.fail },
    async switchOff(functionName: 'Consumer' | 'Feed'): Promise<void> {
      const { UUID } = await mappingOf(functionName);
      await clients.lambda.updateEventSourceMapping({ UUID, Enabled: false });
    },
  };
}
