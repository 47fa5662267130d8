import type { StackModel } from '../src/template/template.ts';
import { readTemplate } from '../src/template/template.ts';

type Resource = { Type: string; Properties?: Record<string, unknown>; [key: string]: unknown };

export type Changes = Readonly<Record<string, Resource>>;

/** A small stack in the form that CDK writes; `changes` replaces or adds resources. */
export function sampleTemplate(changes: Changes = {}): {
  Resources: Record<string, Resource>;
} {
  return {
    Resources: {
      DeadLetters: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1209600 } },
      Events: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          VisibilityTimeout: 180,
          SqsManagedSseEnabled: true,
          RedrivePolicy: {
            deadLetterTargetArn: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] },
            maxReceiveCount: 80,
          },
        },
      },
      Orders: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        },
      },
      Keys: { Type: 'AWS::SecretsManager::Secret', Properties: { Description: 'keys' } },
      Worker: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Handler: 'index.handler',
          Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
          Timeout: 7,
          Environment: { Variables: { QUEUE_URL: { Ref: 'Events' }, TABLE: { Ref: 'Orders' } } },
        },
        Metadata: { 'aws:asset:path': 'asset.1' },
      },
      Role: { Type: 'AWS::IAM::Role', Properties: { Anything: { 'Fn::If': ['a', 'b', 'c'] } } },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Events', 'Arn'] },
          FunctionName: { Ref: 'Worker' },
          BatchSize: 5,
          MaximumBatchingWindowInSeconds: 2,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: 4 },
        },
      },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } },
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
      },
      Integration: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          ApiId: { Ref: 'Api' },
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: { 'Fn::GetAtt': ['Worker', 'Arn'] },
          PayloadFormatVersion: '2.0',
        },
      },
      Route: {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: {
          ApiId: { Ref: 'Api' },
          RouteKey: 'GET /orders/{id}',
          AuthorizationType: 'AWS_IAM',
          Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
        },
      },
      ...changes,
    },
  };
}

const sample = sampleTemplate().Resources;

/** A resource of the sample template with other properties. */
export const changed = (logicalId: string, properties: object): Changes => {
  const resource = sample[logicalId];
  if (resource === undefined) throw new Error(`The sample has no resource ${logicalId}.`);
  return { [logicalId]: { ...resource, Properties: { ...resource.Properties, ...properties } } };
};

/** The model of the sample template. */
export function readSample(
  changes: Changes = {},
  { Outputs = {}, sqsEndpoint = 'http://127.0.0.1:1111' }: { Outputs?: object; sqsEndpoint?: string } = {},
): StackModel {
  const template = { ...sampleTemplate(changes), Outputs };
  const assembly = { directory: '/out', stackName: 'sample-stack', template };
  return readTemplate(assembly, { sqsEndpoint, baseUrl: 'http://127.0.0.1:2222' });
}
