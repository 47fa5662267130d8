import { startService } from '@payhooks/payment-service/testing';
import { vi } from 'vitest';
import type { SentHeartbeat } from '../../lambdas/contract/heartbeat.ts';
import { AwsError, type Operation, startAwsQuery } from './aws-query.ts';
import { describedStack, pageOf } from './cloudformation.ts';
import { startLocalStack } from './local-stack.ts';
import { nothingWaits, startOperations } from './operations-server.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:alarms';
export const stackName = 'payhooks-shop';

interface DescribedAlarm {
  readonly state: string;
  readonly enabled: boolean;
  readonly actions: readonly string[];
  readonly description?: string;
  /** When it entered its state. */
  readonly since?: string;
  /** Of the number of refused requests, in an hour. */
  readonly threshold?: number;
}

interface PlainResponse {
  readonly status: number;
  readonly text: string;
}

const refusal: PlainResponse = { status: 403, text: '{"message":"Forbidden"}' };

const onlyEventQueue = {
  redrivePermission: 'byQueue',
  sourceQueueArns: ['arn:aws:sqs:us-east-1:000000000000:shop-queue'],
};

const armed: DescribedAlarm = { state: 'OK', enabled: true, actions: [topicArn] };
const ownAlarms = ['EventsDelayed', 'SecretReadFailed'].map((name) => `${stackName}-${name}`);

/** What AWS has of the stack; a test changes it before it runs a command. */
const asDeployed = () => ({
  status: 'UPDATE_COMPLETE',
  alarms: Object.fromEntries(ownAlarms.map((name) => [name, armed])),
  /** ARNs, or what SNS puts in their place. */
  subscriptions: [`${topicArn}:1`] as readonly string[],
  outputs: {
    SignatureHeader: 'x-service-signature',
    KeySecretArn: 'keys',
    OrderQueryInvokeArn: 'arn:aws:execute-api:us-east-1:000000000000:api/*',
    AlarmTopicArn: topicArn,
    HeartbeatLogGroup: 'shop-heartbeat',
    MetricsNamespace: 'payhooks/shop',
  } as Record<string, string>,
  /** The attributes of the dead-letter queue. */
  deadLetters: { RedriveAllowPolicy: JSON.stringify(onlyEventQueue) } as Record<string, string>,
  /** How many messages each queue holds, by its name. */
  depths: {} as Record<string, number>,
  /** What CloudWatch has of the age of the oldest event, in seconds, one value a minute. */
  eventAges: [] as readonly number[],
  operations: nothingWaits,
  /** When the metric of an alarm counted, and how much. */
  occurrences: [] as readonly { readonly at: string; readonly count: number }[],
  /** When heartbeats returned; ISO 8601. */
  heartbeats: [new Date(Date.now() - 250_000).toISOString()] as readonly string[],
  /** What the function of heartbeats responds, and whether one that it sent has returned. */
  heartbeat: { status: 202, order_id: 'beat-1', error: null } as SentHeartbeat & { readonly returns?: false },
  /** The statements of the policy of the function of heartbeats. */
  permissions: [] as readonly object[],
  /** Operations that the operator has no permission for. */
  forbidden: [] as readonly string[],
  /** What the webhook API responds to a forgery, and the order query to a request without a signature. */
  webhook: (_signature: string | undefined): PlainResponse => refusal,
  query: refusal,
  /** How many webhooks were posted. */
  posted: 0,
});
export type DeployedState = ReturnType<typeof asDeployed>;

const heartbeatFunction = {
  Type: 'AWS::Lambda::Function',
  Properties: { Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'heartbeat' } } },
};
const beatLine = (order_id: string, seconds: number) => ({
  message: JSON.stringify({ message: 'heartbeat returned', order_id, seconds }),
});

const resourcesOf = ({ alarms }: DeployedState) =>
  [
    ['Queue', 'shop-queue', 'AWS::SQS::Queue'],
    ['Heartbeat', 'shop-heartbeat', 'AWS::Lambda::Function'],
    ...[...new Set([...ownAlarms, ...Object.keys(alarms)])].map((name) => [
      ...[name, name, 'AWS::CloudWatch::Alarm'],
    ]),
  ].map(([LogicalResourceId, PhysicalResourceId, ResourceType]) => ({
    ...{ LogicalResourceId, PhysicalResourceId, ResourceType, ResourceStatus: 'CREATE_COMPLETE' },
  }));

/** A deployed stack: its description in AWS, its secret and its endpoints, over real HTTP on loopback. */
export async function startDeployedStack({ keys }: { readonly keys: string }) {
  const local = await startLocalStack({ keys });
  const state = asDeployed();
  const { baseUrl } = await startService(({ method, signature }) => {
    const isPost = method === 'POST';
    state.posted += isPost ? 1 : 0;
    return { headers: { connection: 'close' }, ...(isPost ? state.webhook(signature) : state.query) };
  });
  state.outputs['OrderQueryUrl'] = baseUrl;
  state.outputs['WebhookUrl'] = `${baseUrl}/webhooks/payments`;
  state.outputs['OperationsUrl'] = await startOperations((request) => state.operations(request));
  /** Leads a process to this stack. */
  const endpoint = await startAwsQuery(operationsOf(state));
  state.outputs['EventQueueUrl'] = `${endpoint}/000000000000/shop-queue`;
  state.outputs['DeadLetterQueueUrl'] = `${endpoint}/000000000000/shop-dead-letters`;
  state.outputs['FeedFailureQueueUrl'] = `${endpoint}/000000000000/shop-feed-failures`;
  const env = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: local.secrets.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return { env, state, armed, secrets: local.secrets };
}

function operationsOf(state: DeployedState): Readonly<Record<string, Operation>> {
  const operations: Readonly<Record<string, Operation>> = {
    DescribeStacks: () => ({ Stacks: [describedStack({ name: stackName, ...state })] }),
    ListStackResources: ({ NextToken }) => pageOf(resourcesOf(state), 'StackResourceSummaries', NextToken),
    GetTemplate: () => ({ TemplateBody: JSON.stringify({ Resources: { Heartbeat: heartbeatFunction } }) }),
    Invoke: () => ({ ...state.heartbeat }),
    GetFunctionConfiguration: () => ({ LastModified: '2026-11-02T09:14:00.000+0000' }),
    GetPolicy() {
      if (state.permissions.length > 0) return { Policy: JSON.stringify({ Statement: state.permissions }) };
      throw new AwsError('ResourceNotFoundException', 'The function has no policy.');
    },
    FilterLogEvents: () => ({
      events: [
        beatLine('another', 9),
        ...(state.heartbeat.returns === false ? [] : [beatLine('beat-1', 1.9)]),
      ],
    }),
    GetQueueAttributes: ({ QueueUrl = '' }) => ({ Attributes: queueAttributes(state, QueueUrl) }),
    GetMetricStatistics: ({ MetricName }) => ({
      Datapoints:
        MetricName === 'HeartbeatReturned'
          ? state.heartbeats.map((at) => ({ Timestamp: Date.parse(at) / 1_000, SampleCount: 1 }))
          : // CloudWatch returns them in no order.
            state.eventAges
              .map((Maximum, index) => ({ Timestamp: Date.now() / 1_000 + index * 60, Maximum }))
              .toReversed(),
    }),
    GetMetricData: () => ({
      MetricDataResults: [
        {
          Id: 'value',
          Timestamps: state.occurrences.map(({ at }) => Date.parse(at) / 1_000),
          Values: state.occurrences.map(({ count }) => count),
        },
      ],
    }),
    DescribeAlarms: (parameters) => ({ MetricAlarms: alarmsOf(state, parameters) }),
    ListSubscriptionsByTopic: () => ({
      Subscriptions: state.subscriptions.map((SubscriptionArn) => ({ SubscriptionArn, Protocol: 'email' })),
    }),
  };
  const guarded = Object.entries(operations).map(([name, operation]): [string, Operation] => [
    name,
    (parameters) => {
      if (!state.forbidden.includes(name)) return operation(parameters);
      throw new AwsError('AccessDenied', `User: operator is not authorized to perform: ${name}`);
    },
  ]);
  return Object.fromEntries(guarded);
}

function queueAttributes({ deadLetters, depths }: DeployedState, url: string): Record<string, string> {
  const name = url.split('/').at(-1) ?? '';
  return {
    ApproximateNumberOfMessages: String(depths[name] ?? 0),
    ApproximateNumberOfMessagesNotVisible: '0',
    ApproximateNumberOfMessagesDelayed: '0',
    ...(name === 'shop-dead-letters' && deadLetters),
  };
}

const alarmsOf = ({ alarms }: DeployedState, parameters: Readonly<Record<string, string>>) =>
  Object.entries(alarms)
    .filter(([AlarmName]) => Object.values(parameters).includes(AlarmName))
    .map(([AlarmName, { state: StateValue, enabled: ActionsEnabled, actions: AlarmActions, ...alarm }]) => ({
      AlarmName,
      StateValue,
      ActionsEnabled,
      AlarmActions,
      AlarmDescription: alarm.description,
      StateTransitionedTimestamp: alarm.since && Date.parse(alarm.since) / 1000,
      ...(alarm.threshold !== undefined && {
        ...{ Namespace: 'payhooks/shop', MetricName: 'SignatureMismatch', Statistic: 'Sum', Period: 3_600 },
        ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: alarm.threshold },
        ...{ EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
      }),
    }));
