import { describe, expect, it } from 'vitest';
import { type Changes, changed, readSample as read } from './sample-template.ts';

const variable = (VALUE: unknown): Changes => changed('Worker', { Environment: { Variables: { VALUE } } });
const resolved = (value: unknown): string | undefined =>
  read(variable(value)).functions[0]?.environment['VALUE'];
const outputsOf = (values: Readonly<Record<string, unknown>>, changes: Changes = {}) => {
  const Outputs = Object.fromEntries(Object.entries(values).map(([name, Value]) => [name, { Value }]));
  return read(changes, { Outputs }).outputs;
};

describe('the model of a template', () => {
  it('has outputs, without those that have no local counterpart', () => {
    const Url = { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, '/hooks']] };
    const outputs = outputsOf({ Url, Table: { Ref: 'Orders' }, Stage: { Ref: 'Stage' } });
    expect(outputs).toEqual({ Url: 'http://127.0.0.1:2222/hooks', Table: 'Orders' });
  });
});

it('a template may have the metadata of CDK, which has a condition', () => {
  const CDKMetadata = { Type: 'AWS::CDK::Metadata', Condition: 'CDKMetadataAvailable' };
  expect(read({ CDKMetadata }).queues).toHaveLength(2);
});

describe('intrinsic functions', () => {
  it.each([
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ Ref: 'AWS::StackName' }, 'sample-stack'],
    [{ Ref: 'Keys' }, 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Keys-f0d66a'],
    [{ 'Fn::GetAtt': ['Orders', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders'],
    [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, 'http://127.0.0.1:2222'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Orders' }]] }, 'a-Orders'],
  ])('resolve %j to "%s"', (value, expected) => {
    expect(resolved(value)).toBe(expected);
  });

  it.each([
    [{ 'Fn::ImportValue': 'x' }, 'Worker.Environment.Variables.VALUE uses Fn::ImportValue'],
    [{ Ref: 'Role' }, 'Worker.Environment.Variables.VALUE needs Ref Role'],
    [{ 'Fn::GetAtt': ['Orders', 'StreamArn'] }, 'VALUE needs Fn::GetAtt Orders.StreamArn'],
  ])('refuse %j with the resource and the property', (value, expected) => {
    expect(() => resolved(value)).toThrow(expected);
  });
});

describe('a template is refused', () => {
  const Type = 'AWS::ApiGatewayV2::Route';

  it.each<[string, Changes, string]>([
    [
      'an unknown type',
      { Rule: { Type: 'AWS::Events::Connection' } },
      'Rule is of the type AWS::Events::Connection',
    ],
    [
      'a property that would delete messages',
      changed('Mapping', { FilterCriteria: {} }),
      'Mapping.FilterCriteria (AWS::Lambda::EventSourceMapping)',
    ],
    [
      'a condition',
      { Events: { Type: 'AWS::SQS::Queue', Condition: 'Sometimes' } },
      'Events has a Condition',
    ],
    [
      'a stage in every path',
      changed('Stage', { StageName: 'v1' }),
      'Stage.StageName is "v1"; expected "$default".',
    ],
    [
      'a stage variable from elsewhere',
      changed('Stage', { StageVariables: { key: '{{resolve:ssm:key}}' } }),
      'Stage.StageVariables.key is "{{resolve:ssm:key}}"; expected text, or a dynamic reference to a whole secret',
    ],
    [
      'a dynamic reference in another place',
      changed('Worker', { Environment: { Variables: { KEY: '{{resolve:secretsmanager:Keys}}' } } }),
      'Worker.Environment has a dynamic reference, which cdk-local emulates in StageVariables only.',
    ],
    ['a catch-all route', changed('Route', { RouteKey: '$default' }), 'Route.RouteKey is "$default"'],
    [
      'two routes with one key',
      { Second: changed('Route', {})['Route'] ?? { Type } },
      'Two routes have the key "GET /orders/{id}"',
    ],
    [
      'a function without code',
      { Worker: { ...changed('Worker', {})['Worker'], Type: 'AWS::Lambda::Function', Metadata: {} } },
      'Worker has no aws:asset:path',
    ],
    ['a missing property', { Other: { Type } }, 'Other.ApiId is missing.'],
  ])('with %s', (_, changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });
});
