import { startService } from '@payhooks/payment-service/testing';
import { alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';
import type { SentHeartbeat } from '../../lambdas/contract/heartbeat.ts';
import { AwsError, type Operation, stubAws } from './aws-query.ts';
import { type DescribedStack, describedStack, foreignStack, pageOf } from './cloudformation.ts';
import { nothingWaits, type Operations, startOperations } from './operations-server.ts';

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
  readonly metrics?: readonly object[];
}

/** What AWS has of the stack; a test changes it before it runs a command. */
export interface DeployedState {
  status: string;
  alarms: Record<string, DescribedAlarm>;
  /** ARNs, or what SNS puts in their place. */
  subscriptions: readonly string[];
  outputs: Record<string, string>;
  /** How many messages each queue holds, by its name. */
  depths: Record<string, number>;
  operations: Operations;
  /** What CloudWatch has of the age of the oldest event, in seconds, one value a minute. */
  eventAges: readonly number[];
  /** When the metric of an alarm counted, and how much. */
  occurrences: readonly { readonly at: string; readonly count: number }[];
  /** When heartbeats returned; ISO 8601. */
  heartbeats: readonly string[];
  /** What the function of heartbeats responds, and whether one that it sent has returned. */
  heartbeat: SentHeartbeat & { readonly returns?: false };
  /** The statements of the policy of the function of heartbeats. */
  permissions: readonly object[];
  /** Operations that the operator has no permission for. */
  forbidden: readonly string[];
  /** The stack of a `cdk bootstrap`, if there is one. */
  bootstrap: DescribedStack | undefined;
  /** How many functions may run at once. */
  concurrency: number;
  isProtected: boolean;
  /** The text of the key secret, or why it cannot be read. */
  keys: string | AwsError;
  /** What the webhook API responds to a forgery, and the order query to a request without a signature. */
  webhook: (signature: string | undefined) => PlainResponse;
  query: PlainResponse;
}

interface PlainResponse {
  readonly status: number;
  readonly text: string;
}

const refusal: PlainResponse = { status: 403, text: '{"message":"Forbidden"}' };

const heartbeatFunction = {
  Type: 'AWS::Lambda::Function',
  Properties: { Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'heartbeat' } } },
};
const beatLine = (order_id: string, seconds: number) => ({
  message: JSON.stringify({ message: 'heartbeat returned', order_id, seconds }),
});

const ownAlarms = ['EventsDelayed', 'WebhookServerErrors'].map((name) => `${stackName}-${name}`);

const logicalIdOf = (alarm: string): string => `${alarm in alarmGuide ? 'Alarms' : ''}${alarm}00C0FFEE`;

const resourcesOf = ({ alarms }: DeployedState) =>
  [
    ['Queue', 'shop-queue', 'AWS::SQS::Queue'],
    ['Heartbeat', 'shop-heartbeat', 'AWS::Lambda::Function'],
    ...[...new Set([...ownAlarms, ...Object.keys(alarms)])].map((name) => [
      ...[logicalIdOf(name.replace(`${stackName}-`, '')), name, 'AWS::CloudWatch::Alarm'],
    ]),
  ].map(([LogicalResourceId, PhysicalResourceId, ResourceType]) => ({
    ...{ LogicalResourceId, PhysicalResourceId, ResourceType, ResourceStatus: 'CREATE_COMPLETE' },
  }));

/** Every resource is marked as part of the deployment. */
function templateOf(state: DeployedState): object {
  const Metadata = { [deploymentMetadata]: stackName };
  const marked = resourcesOf(state).map(({ LogicalResourceId: id = '', ResourceType: Type }) => {
    const resource = id === 'Heartbeat' ? heartbeatFunction : { Type };
    return [id, { ...resource, Metadata }] as const;
  });
  return Object.fromEntries(marked);
}

/** A deployed stack: its description in AWS, its secret and its endpoints, over real HTTP on loopback. */
export async function startDeployedStack({ keys }: { readonly keys: string }) {
  const armed = { state: 'OK', enabled: true, actions: [topicArn] };
  const state: DeployedState = {
    status: 'UPDATE_COMPLETE',
    alarms: Object.fromEntries(ownAlarms.map((name) => [name, armed])),
    subscriptions: [`${topicArn}:1`],
    outputs: {
      SignatureHeader: 'x-service-signature',
      KeySecretArn: 'keys',
      OrderQueryInvokeArn: 'arn:aws:execute-api:us-east-1:000000000000:api/*',
      AlarmTopicArn: topicArn,
      HeartbeatReturnLogGroup: 'shop-heartbeat-return',
      MetricsNamespace: 'payhooks/shop',
    },
    depths: {},
    eventAges: [],
    operations: nothingWaits,
    occurrences: [],
    heartbeats: [new Date(Date.now() - 250_000).toISOString()],
    heartbeat: { status: 202, order_id: 'beat-1', error: null },
    permissions: [],
    forbidden: [],
    ...{ bootstrap: undefined, concurrency: 1_000, isProtected: true },
    keys,
    webhook: () => refusal,
    query: refusal,
  };
  const { baseUrl } = await startService(({ method, signature }) => ({
    headers: { connection: 'close' },
    ...(method === 'POST' ? state.webhook(signature) : state.query),
  }));
  state.outputs['OrderQueryUrl'] = baseUrl;
  state.outputs['WebhookUrl'] = `${baseUrl}/webhooks/payments`;
  state.outputs['OperationsUrl'] = await startOperations((request) => state.operations(request));
  /** Leads a process to this stack. */
  const env = await stubAws(operationsOf(state));
  const endpoint = env.AWS_ENDPOINT_URL;
  state.outputs['EventQueueUrl'] = `${endpoint}/000000000000/shop-queue`;
  state.outputs['DeadLetterQueueUrl'] = `${endpoint}/000000000000/shop-dead-letters`;
  state.outputs['FeedFailureQueueUrl'] = `${endpoint}/000000000000/shop-feed-failures`;
  return { env, state, armed };
}

function operationsOf(state: DeployedState): Readonly<Record<string, Operation>> {
  const operations: Readonly<Record<string, Operation>> = {
    GetCallerIdentity: () => ({
      ...{ Account: '000000000000', Arn: 'arn:aws:iam::000000000000:user/operator' },
    }),
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: state.concurrency } }),
    UpdateTerminationProtection({ EnableTerminationProtection }) {
      state.isProtected = EnableTerminationProtection === 'true';
      return {};
    },
    DescribeStacks({ StackName }) {
      const bootstraps = StackName === undefined && state.bootstrap ? [state.bootstrap] : [];
      return { Stacks: [...bootstraps.map(foreignStack), describedStack({ name: stackName, ...state })] };
    },
    ListStackResources: ({ NextToken }) => pageOf(resourcesOf(state), 'StackResourceSummaries', NextToken),
    GetTemplate: () => ({ TemplateBody: JSON.stringify({ Resources: templateOf(state) }) }),
    GetSecretValue() {
      if (state.keys instanceof AwsError) throw state.keys;
      return { SecretString: state.keys, VersionId: 'v1' };
    },
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
    GetMetricData: (parameters) => ({ MetricDataResults: [metricOf(state, JSON.stringify(parameters))] }),
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

/** The values of the metric that the text of a request names. */
function metricOf({ heartbeats, eventAges, occurrences }: DeployedState, request: string) {
  const ages = eventAges.toReversed().map((count, index) => ({
    ...{ at: new Date(Date.now() - index * 60_000).toISOString(), count },
  }));
  const counts = request.includes(missing.Expression)
    ? heartbeats.map((at) => ({ at, count: 0 }))
    : request.includes('ApproximateAge')
      ? ages
      : occurrences;
  return {
    Id: request.includes('ApproximateAge') ? 'age' : 'value',
    Timestamps: counts.map(({ at }) => Date.parse(at) / 1_000),
    Values: counts.map(({ count }) => count),
  };
}

function queueAttributes({ depths }: DeployedState, url: string): Record<string, string> {
  const name = url.split('/').at(-1) ?? '';
  return {
    ApproximateNumberOfMessages: String(depths[name] ?? 0),
    ApproximateNumberOfMessagesNotVisible: '0',
    ApproximateNumberOfMessagesDelayed: '0',
  };
}

/** What the alarm HeartbeatMissing goes by. */
const missing = { Id: 'value', Expression: 'FILL(value, 1)' };
const heartbeatMissing: DescribedAlarm = { state: 'OK', enabled: true, actions: [], metrics: [missing] };

const alarmsOf = ({ alarms }: DeployedState, parameters: Readonly<Record<string, string>>) =>
  Object.entries({ [`${stackName}-HeartbeatMissing`]: heartbeatMissing, ...alarms })
    .filter(([AlarmName]) => Object.values(parameters).includes(AlarmName))
    .map(([AlarmName, { state: StateValue, enabled: ActionsEnabled, actions: AlarmActions, ...alarm }]) => ({
      AlarmName,
      StateValue,
      ActionsEnabled,
      AlarmActions,
      AlarmDescription: alarm.description,
      Metrics: alarm.metrics,
      StateTransitionedTimestamp: alarm.since && Date.parse(alarm.since) / 1000,
      ...(alarm.threshold !== undefined && {
        ...{ Namespace: 'payhooks/shop', MetricName: 'SignatureMismatch', Statistic: 'Sum', Period: 3_600 },
        ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', Threshold: alarm.threshold },
        ...{ EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
      }),
    }));
