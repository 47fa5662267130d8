import type { Deployed } from '../../operator/aws/deployed-resources.ts';
import { AwsError, type Fields, stubAws } from './aws-query.ts';

const place = 'us-east-1:000000000000';
export const stackName = 'payhooks-shop';
const deployedAt = new Date('2026-11-22T08:00:00.000Z');
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const tableArn = `arn:aws:dynamodb:${place}:table/shop-orders`;
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const deny = (Sid: string, Action: string | string[], Resource: unknown, more: object = {}) => ({
  ...{ Sid, Effect: 'Deny', Principal: { AWS: '*' }, Action, Resource },
  ...more,
});
const assumedBy = (Service: string) =>
  policy({ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' });
const encoded = (document: object) => encodeURIComponent(JSON.stringify(document));
const lambda = 'lambda.amazonaws.com';
const gateway = 'apigateway.amazonaws.com';
const roleArn = (name: string) => `arn:aws:iam::000000000000:role/${name}`;
const exceptFor = (...roles: unknown[]) => ({ Condition: { ArnNotLike: { 'aws:PrincipalArn': roles } } });
const ofOurs = (source: unknown) => ({ Condition: { StringLike: { 'events:source': source } } });
const urlOf = (name: string) => `https://sqs.example/000000000000/${name}`;

/** The resources of a small stack, as CDK writes them: id, physical id and properties. */
const resources: Readonly<Record<string, Readonly<Record<string, readonly [string, object]>>>> = {
  'AWS::SQS::Queue': {
    Queue: [
      urlOf('shop-queue'),
      {
        MessageRetentionPeriod: 1_209_600,
        RedrivePolicy: { deadLetterTargetArn: arn('DeadLetters'), maxReceiveCount: 40 },
      },
    ],
    DeadLetters: [urlOf('shop-dead-letters'), {}],
  },
  'AWS::SQS::QueuePolicy': {
    QueuePolicy: [
      'policy',
      {
        Queues: [{ Ref: 'Queue' }],
        PolicyDocument: policy(
          deny('OnlyVerifierSends', 'sqs:SendMessage', arn('Queue'), exceptFor(arn('Role'), roleArn('ops'))),
        ),
      },
    ],
  },
  'AWS::DynamoDB::Table': {
    Orders: [
      'shop-orders',
      {
        ResourcePolicy: {
          PolicyDocument: policy(deny('OnlyStagesWrite', ['dynamodb:PutItem', 'dynamodb:UpdateItem'], '*')),
        },
      },
    ],
  },
  'AWS::Events::EventBus': { Bus: [stackName, {}] },
  'AWS::Events::EventBusPolicy': {
    BusPolicy: [
      'statement',
      { Statement: deny('OurType', 'events:PutEvents', arn('Bus'), ofOurs('payhooks*')) },
    ],
  },
  'AWS::Events::Archive': { Archive: [stackName, { RetentionDays: 30 }] },
  'AWS::IAM::Role': { Role: ['shop-role', { AssumeRolePolicyDocument: assumedBy(lambda) }] },
  'AWS::IAM::Policy': {
    RolePolicy: [
      'policy',
      {
        Roles: [{ Ref: 'Role' }],
        PolicyDocument: policy({
          ...{ Effect: 'Allow', Action: ['dynamodb:GetRecords'] },
          Resource: [{ 'Fn::GetAtt': ['Orders', 'StreamArn'] }, `${tableArn}/zoned`],
        }),
      },
    ],
  },
  'AWS::Lambda::Function': { Query: ['shop-query', { Role: arn('Role') }] },
  'AWS::Lambda::Permission': {
    Permission: [
      'shop-Permission-1',
      {
        ...{ Action: 'lambda:InvokeFunction', FunctionName: arn('Query'), Principal: gateway },
        SourceArn: {
          'Fn::Join': [
            '',
            ['arn:', { Ref: 'AWS::Partition' }, `:execute-api:${place}:`, { Ref: 'Api' }, '/*/*/orders'],
          ],
        },
      },
    ],
  },
  'AWS::ApiGatewayV2::Api': { Api: ['abc123', {}] },
  'AWS::ApiGatewayV2::Stage': {
    QueryStage: [
      '$default',
      {
        ...{ ApiId: { Ref: 'Api' }, StageName: '$default' },
        AccessLogSettings: { DestinationArn: arn('AccessLogs'), Format: '{"ip":1}' },
      },
    ],
  },
  'AWS::ApiGatewayV2::Route': {
    Route: ['route', { ApiId: { Ref: 'Api' }, RouteKey: 'GET /orders', AuthorizationType: 'AWS_IAM' }],
  },
  // The log group is not among the safeguards of these tests.
  'AWS::Other': { AccessLogs: [`arn:aws:logs:${place}:log-group:access`, {}] },
};

const queueArn = (name: string) => `arn:aws:sqs:${place}:${name}`;

/** What AWS has of it, in the form in which AWS returns it; a test changes or removes some. */
const asDeployed = () => ({
  queue: {
    MessageRetentionPeriod: '1209600',
    VisibilityTimeout: '360',
    RedrivePolicy: `{"maxReceiveCount":40,"deadLetterTargetArn":"${queueArn('shop-dead-letters')}"}`,
    Policy: [
      deny('OnlyVerifierSends', 'SQS:SendMessage', queueArn('shop-queue'), {
        ...exceptFor(roleArn('ops'), roleArn('shop-role')),
        Principal: '*',
      }),
    ],
  } as { MessageRetentionPeriod: string; RedrivePolicy?: string; Policy: object[] } | undefined,
  deadLetters: { redrivePermission: 'byQueue', sourceQueueArns: [queueArn('shop-queue')] } as
    | object
    | undefined,
  table: [deny('', ['dynamodb:UpdateItem', 'dynamodb:PutItem'], '*')] as object[],
  bus: [
    deny(
      ...(['OurType', 'events:PutEvents', `arn:aws:events:${place}:event-bus/${stackName}`] as const),
      ofOurs(['payhooks*']),
    ),
    { Sid: 'Foreign', Effect: 'Allow', Principal: { AWS: '999999999999' }, Action: 'events:PutRule' },
  ] as object[] | undefined,
  archive: { State: 'ENABLED', RetentionDays: 30 } as Fields | undefined,
  role: { attached: [] as string[], service: lambda },
  inline: [
    {
      ...{ Effect: 'Allow', Action: 'dynamodb:GetRecords' },
      Resource: [`${tableArn}/stream/2026-11-01T00:00:00.000`, `${tableArn}/zoned`],
    },
  ],
  query: { Role: roleArn('shop-role'), LastModified: '2026-11-22T07:59:58.000+0000' },
  permissions: [
    {
      ...{ Sid: 'shop-Permission-1', Effect: 'Allow', Principal: { Service: gateway } },
      ...{ Action: 'lambda:InvokeFunction', Resource: `arn:aws:lambda:${place}:function:shop-query` },
      Condition: { ArnLike: { 'AWS:SourceArn': `arn:aws:execute-api:${place}:abc123/*/*/orders` } },
    },
  ] as object[],
  stage: {
    accessLogSettings: { destinationArn: `arn:aws:logs:${place}:log-group:access`, format: '{"ip":1}' },
  } as { accessLogSettings?: object } | undefined,
  authorization: 'AWS_IAM',
});
export type InspectedState = ReturnType<typeof asDeployed>;

const orAbsent = <Value>(value: Value | undefined, code: string): Value => {
  if (value === undefined) throw new AwsError(code, 'It does not exist.');
  return value;
};
const missing = 'ResourceNotFoundException';

const operationsOf = (state: InspectedState): Parameters<typeof stubAws>[0] => ({
  GetQueueAttributes({ QueueUrl = '' }) {
    if (!QueueUrl.endsWith('shop-queue')) {
      const source = orAbsent(state.deadLetters, 'QueueDoesNotExist');
      return { Attributes: { RedriveAllowPolicy: JSON.stringify(source) } };
    }
    const { Policy, ...attributes } = orAbsent(state.queue, 'QueueDoesNotExist');
    return { Attributes: { ...attributes, Policy: JSON.stringify(policy(...Policy)) } };
  },
  DescribeTable: ({ TableName }) => ({
    Table: { TableName, TableArn: `arn:aws:dynamodb:${place}:table/${TableName}` },
  }),
  GetResourcePolicy: () => ({ Policy: JSON.stringify(policy(...state.table)) }),
  DescribeEventBus: () => ({ Policy: JSON.stringify(policy(...orAbsent(state.bus, missing))) }),
  DescribeArchive: () => orAbsent(state.archive, missing),
  GetRole: () => ({
    Role: { AssumeRolePolicyDocument: encoded(assumedBy(state.role.service)) },
  }),
  ListAttachedRolePolicies: () => ({
    AttachedPolicies: state.role.attached.map((PolicyArn) => ({ PolicyArn })),
  }),
  ListRolePolicies: () => ({ PolicyNames: ['policy'] }),
  GetRolePolicy: () => ({ PolicyDocument: encoded(policy(...state.inline)) }),
  GetFunctionConfiguration: () => state.query,
  GetPolicy: () => ({ Policy: JSON.stringify(policy(...state.permissions)) }),
  GetStage: () => orAbsent(state.stage, 'NotFoundException'),
  GetRoutes: () => ({ items: [{ routeKey: 'GET /orders', authorizationType: state.authorization }] }),
});

/** AWS with a stack that is as it was deployed, until a test changes its state. */
export async function startInspectedStack() {
  const state = asDeployed();
  await stubAws(operationsOf(state));
  const outputs = {
    KeySecretArn: `arn:aws:secretsmanager:${place}:secret:keys`,
    EventQueueUrl: urlOf('shop-queue'),
    DeadLetterQueueUrl: urlOf('shop-dead-letters'),
  };
  const deployed: Deployed = {
    stack: { name: stackName, outputs, region: 'us-east-1' },
    resources: Object.entries(resources).flatMap(([type, ofType]) =>
      Object.entries(ofType).map(([logicalId, [physicalId, properties]]) => ({
        ...{ logicalId, type, physicalId, deployedAt, properties: { ...properties } },
      })),
    ),
  };
  return { state, deployed };
}
