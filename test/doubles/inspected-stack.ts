import { vi } from 'vitest';
import type { Deployed } from '../../operator/aws/deployed-resources.ts';
import { AwsError, type Fields, startAwsQuery } from './aws-query.ts';

const place = 'us-east-1:000000000000';
export const stackName = 'payhooks-shop';
const deployedAt = new Date('2026-11-22T08:00:00.000Z');
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const tableArn = `arn:aws:dynamodb:${place}:table/shop-orders`;
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const encoded = (document: object) => encodeURIComponent(JSON.stringify(document));

const resource = (logicalId: string, type: string, physicalId: string, properties: object = {}) => ({
  ...{ logicalId, type: `AWS::${type}`, physicalId, deployedAt, properties: { ...properties } },
});

/** The resources of a small stack, as CDK writes them. */
const resources = [
  resource('Queue', 'SQS::Queue', 'https://sqs.example/000000000000/shop-queue', {
    MessageRetentionPeriod: 1_209_600,
    RedrivePolicy: { deadLetterTargetArn: arn('DeadLetters'), maxReceiveCount: 40 },
  }),
  resource('DeadLetters', 'SQS::Queue', 'https://sqs.example/000000000000/shop-dead-letters'),
  resource('QueuePolicy', 'SQS::QueuePolicy', 'policy', {
    Queues: [{ Ref: 'Queue' }],
    PolicyDocument: policy({
      ...{ Sid: 'OnlyVerifierSends', Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:SendMessage' },
      Resource: arn('Queue'),
      Condition: { ArnNotLike: { 'aws:PrincipalArn': [arn('Role'), 'arn:aws:iam::000000000000:role/ops'] } },
    }),
  }),
  resource('Orders', 'DynamoDB::Table', 'shop-orders', {
    ResourcePolicy: {
      PolicyDocument: policy({
        ...{ Sid: 'OnlyStagesWrite', Effect: 'Deny', Principal: { AWS: '*' }, Resource: '*' },
        Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      }),
    },
  }),
  resource('Bus', 'Events::EventBus', stackName),
  resource('BusPolicy', 'Events::EventBusPolicy', 'statement', {
    Statement: {
      ...{ Sid: 'OurType', Effect: 'Deny', Principal: { AWS: '*' }, Action: 'events:PutEvents' },
      ...{ Resource: arn('Bus'), Condition: { StringLike: { 'events:source': 'payhooks*' } } },
    },
  }),
  resource('Archive', 'Events::Archive', stackName, { RetentionDays: 30 }),
  resource('Role', 'IAM::Role', 'shop-role', {
    AssumeRolePolicyDocument: policy({
      ...{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
    }),
  }),
  resource('RolePolicy', 'IAM::Policy', 'policy', {
    Roles: [{ Ref: 'Role' }],
    PolicyDocument: policy({
      ...{ Effect: 'Allow', Action: ['dynamodb:GetRecords'] },
      Resource: [{ 'Fn::GetAtt': ['Orders', 'StreamArn'] }, `${tableArn}/zoned`],
    }),
  }),
  resource('Query', 'Lambda::Function', 'shop-query', { Role: arn('Role') }),
  resource('Permission', 'Lambda::Permission', 'shop-Permission-1', {
    Action: 'lambda:InvokeFunction',
    ...{ FunctionName: arn('Query'), Principal: 'apigateway.amazonaws.com' },
    SourceArn: {
      'Fn::Join': [
        '',
        ['arn:', { Ref: 'AWS::Partition' }, `:execute-api:${place}:`, { Ref: 'Api' }, '/*/*/orders'],
      ],
    },
  }),
  resource('Api', 'ApiGatewayV2::Api', 'abc123'),
  resource('QueryStage', 'ApiGatewayV2::Stage', '$default', {
    ...{ ApiId: { Ref: 'Api' }, StageName: '$default' },
    AccessLogSettings: { DestinationArn: arn('AccessLogs'), Format: '{"ip":1}' },
  }),
  resource('Route', 'ApiGatewayV2::Route', 'route', {
    ...{ ApiId: { Ref: 'Api' }, RouteKey: 'GET /orders', AuthorizationType: 'AWS_IAM' },
  }),
  // The log group is not among the safeguards of these tests.
  resource('AccessLogs', 'Other', `arn:aws:logs:${place}:log-group:access`),
];

const deny = { Effect: 'Deny', Principal: { AWS: '*' } };
const queueArn = (name: string) => `arn:aws:sqs:${place}:${name}`;

/** What AWS has of it, in the form in which AWS returns it; a test changes or removes some. */
const asDeployed = () => ({
  queue: {
    MessageRetentionPeriod: '1209600',
    VisibilityTimeout: '360',
    RedrivePolicy: `{"maxReceiveCount":40,"deadLetterTargetArn":"${queueArn('shop-dead-letters')}"}`,
    Policy: [
      {
        ...{ ...deny, Sid: 'OnlyVerifierSends', Principal: '*', Action: 'SQS:SendMessage' },
        Resource: queueArn('shop-queue'),
        Condition: {
          ArnNotLike: {
            'aws:PrincipalArn': [
              'arn:aws:iam::000000000000:role/ops',
              'arn:aws:iam::000000000000:role/shop-role',
            ],
          },
        },
      },
    ],
  } as { MessageRetentionPeriod: string; RedrivePolicy?: string; Policy: object[] } | undefined,
  deadLetters: true,
  table: [{ ...deny, Resource: '*', Action: ['dynamodb:UpdateItem', 'dynamodb:PutItem'] }] as object[],
  bus: [
    {
      ...{ ...deny, Sid: 'OurType', Action: 'events:PutEvents' },
      Resource: `arn:aws:events:${place}:event-bus/${stackName}`,
      Condition: { StringLike: { 'events:source': ['payhooks*'] } },
    },
    { Sid: 'Foreign', Effect: 'Allow', Principal: { AWS: '999999999999' }, Action: 'events:PutRule' },
  ] as object[] | undefined,
  archive: { State: 'ENABLED', RetentionDays: 30 } as Fields | undefined,
  role: { attached: [] as string[], service: 'lambda.amazonaws.com' },
  inline: [
    {
      ...{ Effect: 'Allow', Action: 'dynamodb:GetRecords' },
      Resource: [`${tableArn}/stream/2026-11-01T00:00:00.000`, `${tableArn}/zoned`],
    },
  ],
  query: { Role: 'arn:aws:iam::000000000000:role/shop-role', LastModified: '2026-11-22T07:59:58.000+0000' },
  permissions: [
    {
      ...{ Sid: 'shop-Permission-1', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
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

const operationsOf = (state: InspectedState): Parameters<typeof startAwsQuery>[0] => ({
  GetQueueAttributes({ QueueUrl = '' }) {
    if (!QueueUrl.endsWith('shop-queue')) {
      const source = { redrivePermission: 'byQueue', sourceQueueArns: [queueArn('shop-queue')] };
      const found = state.deadLetters ? { RedriveAllowPolicy: JSON.stringify(source) } : undefined;
      return { Attributes: orAbsent(found, 'QueueDoesNotExist') };
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
    Role: {
      AssumeRolePolicyDocument: encoded(
        policy({ Effect: 'Allow', Principal: { Service: state.role.service }, Action: 'sts:AssumeRole' }),
      ),
    },
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
  vi.stubEnv('AWS_ENDPOINT_URL', await startAwsQuery(operationsOf(state)));
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const outputs = {
    KeySecretArn: `arn:aws:secretsmanager:${place}:secret:keys`,
    EventQueueUrl: 'https://sqs.example/000000000000/shop-queue',
    DeadLetterQueueUrl: 'https://sqs.example/000000000000/shop-dead-letters',
  };
  const deployed: Deployed = {
    stack: { name: stackName, outputs, region: 'us-east-1' },
    resources,
  };
  return { state, deployed };
}
