import type { StackModel } from '../src/template/template.ts';
import { readTemplate } from '../src/template/template.ts';

type Resource = { Type: string; Properties?: Record<string, unknown>; [key: string]: unknown };

export type Changes = Readonly<Record<string, Resource>>;

const resource = (Type: string, Properties: Record<string, unknown>): Resource => ({ Type, Properties });
const api = { ApiId: { Ref: 'Api' } };
const worker = { 'Fn::GetAtt': ['Worker', 'Arn'] };

/** A small stack in the form that CDK writes; `changes` replaces or adds resources. */
export function sampleTemplate(changes: Changes = {}) {
  const Resources: Record<string, Resource> = {
    DeadLetters: resource('AWS::SQS::Queue', { MessageRetentionPeriod: 1209600 }),
    Events: resource('AWS::SQS::Queue', {
      VisibilityTimeout: 180,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] }, maxReceiveCount: 80 },
    }),
    Orders: resource('AWS::DynamoDB::Table', {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
    Keys: resource('AWS::SecretsManager::Secret', { Description: 'keys' }),
    Worker: {
      ...resource('AWS::Lambda::Function', {
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Timeout: 7,
        Environment: { Variables: { QUEUE_URL: { Ref: 'Events' }, TABLE: { Ref: 'Orders' } } },
      }),
      Metadata: { 'aws:asset:path': 'asset.1' },
    },
    Role: resource('AWS::IAM::Role', { Anything: { 'Fn::If': ['a', 'b', 'c'] } }),
    Mapping: resource('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': ['Events', 'Arn'] },
      FunctionName: { Ref: 'Worker' },
      BatchSize: 5,
      MaximumBatchingWindowInSeconds: 2,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 4 },
    }),
    Api: resource('AWS::ApiGatewayV2::Api', { Name: 'api', ProtocolType: 'HTTP' }),
    Stage: resource('AWS::ApiGatewayV2::Stage', { ...api, StageName: '$default', AutoDeploy: true }),
    Integration: resource('AWS::ApiGatewayV2::Integration', {
      ...{ ...api, IntegrationType: 'AWS_PROXY', IntegrationUri: worker, PayloadFormatVersion: '2.0' },
    }),
    Route: resource('AWS::ApiGatewayV2::Route', {
      ...{ ...api, RouteKey: 'GET /orders/{id}', AuthorizationType: 'AWS_IAM' },
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
    }),
    ...changes,
  };
  return { Resources };
}

const sample = sampleTemplate().Resources;

/** A resource of the sample template with other properties. */
export const changed = (logicalId: string, properties: object): Changes => {
  const resource = sample[logicalId];
  if (resource === undefined) throw new Error(`The sample has no resource ${logicalId}.`);
  return { [logicalId]: { ...resource, Properties: { ...resource.Properties, ...properties } } };
};

/** A stream for the sample's table, and a mapping that reads it. */
export const streamed = (properties: object = {}, StreamViewType = 'NEW_AND_OLD_IMAGES') => ({
  ...changed('Orders', { StreamSpecification: { StreamViewType } }),
  Feed: resource('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
    FunctionName: { Ref: 'Worker' },
    StartingPosition: 'TRIM_HORIZON',
    ...properties,
  }),
});

/** The model of the sample template. */
export function readSample(
  changes: Changes = {},
  { Outputs = {}, sqsEndpoint = 'http://127.0.0.1:1111' }: { Outputs?: object; sqsEndpoint?: string } = {},
): StackModel {
  const template = { ...sampleTemplate(changes), Outputs };
  const assembly = { directory: '/out', stackName: 'sample-stack', template };
  return readTemplate(assembly, { sqsEndpoint, baseUrl: 'http://127.0.0.1:2222' });
}
