import { vi } from 'vitest';
import { element, member, type Operation, type QueryAnswer, startAwsQuery, valuesOf } from './aws-query.ts';
import { startDeployedPipeline } from './deployed-pipeline.ts';
import { startLocalStack } from './local-stack.ts';
import { startSecretsFront } from './secrets-front.ts';

const account = '000000000000';
const arnOf = (service: string, rest: string): string => `arn:aws:${service}:us-east-1:${account}:${rest}`;
const topicArn = arnOf('sns', 'alarms');
export const stackName = 'payhooks-shop';

/** What AWS has of the stack; a test changes it before it asks. */
export interface DeployedState {
  status: string;
  alarms: Record<string, { state: string; enabled: boolean; actions: readonly string[] }>;
  subscriptions: readonly string[];
  outputs: Record<string, string>;
  /** Operations that the operator may not call. */
  forbidden: readonly string[];
}

/** Two to a page, so that whoever reads the first one alone misses an alarm. */
const resources = [
  ['Queue', `https://sqs.us-east-1.amazonaws.com/${account}/shop-queue`, 'AWS::SQS::Queue'],
  ['VerifierRoleABCDEF01', 'shop-verifier-role', 'AWS::IAM::Role'],
  ['Delayed', `${stackName}-EventsDelayed`, 'AWS::CloudWatch::Alarm'],
  ['Bus', 'shop-bus', 'AWS::Events::EventBus'],
  ['Keys', `${stackName}-KeysUnavailable`, 'AWS::CloudWatch::Alarm'],
] as const;

/** A stack that is deployed: what AWS says of it, its secret, and its pipeline. Real HTTP on loopback. */
export async function startDeployedStack({ keys }: { readonly keys: string }) {
  const local = await startLocalStack({ keys });
  const pipeline = await startDeployedPipeline(async () => (await local.secret('keys')) ?? '');
  const front = await startSecretsFront(local.secrets.endpoint);
  const armed = { state: 'OK', enabled: true, actions: [topicArn] };
  const state: DeployedState = {
    status: 'UPDATE_COMPLETE',
    alarms: { [`${stackName}-EventsDelayed`]: armed, [`${stackName}-KeysUnavailable`]: armed },
    subscriptions: [`${topicArn}:1`],
    outputs: {
      WebhookUrl: `${pipeline.url}/webhooks/payments`,
      SignatureHeader: 'x-service-signature',
      KeySecretArn: 'keys',
      OrderQueryUrl: pipeline.url,
      OrderQueryInvokeArn: arnOf('execute-api', 'api/*'),
      AlarmTopicArn: topicArn,
    },
    forbidden: [],
  };
  const operations = operationsOf(state);
  const allowed = Object.entries(operations).map(([name, operation]): [string, Operation] => [
    name,
    (parameters) =>
      state.forbidden.includes(name)
        ? { error: 'AccessDenied', message: `User: operator is not authorized to perform: ${name}` }
        : operation(parameters),
  ]);
  const aws = await startAwsQuery(Object.fromEntries(allowed));
  /** What leads a process to this stack. */
  const env = {
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: front.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return {
    env,
    state,
    pipeline,
    aws,
    armed,
    keys: () => local.secret('keys'),
    putKeys: (text: string) => local.putSecret('keys', text),
    secrets: front.faults,
  };
}

function operationsOf(state: DeployedState): Readonly<Record<string, Operation>> {
  return {
    DescribeStacks: () => ({ xml: element('Stacks', '').replace('></', `>${stackOf(state)}</`) }),
    ListStackResources: ({ NextToken = '0' }) => pageOf(Number(NextToken)),
    DescribeAlarms: (parameters) => ({ json: { MetricAlarms: alarmsOf(state, parameters) } }),
    ListSubscriptionsByTopic: () => ({ xml: subscriptionsOf(state) }),
  };
}

function stackOf({ status, outputs }: DeployedState): string {
  const told = Object.entries(outputs).map(([OutputKey, OutputValue]) => member({ OutputKey, OutputValue }));
  const created = '2026-11-02T09:15:00.000Z';
  const fields = member({ StackName: stackName, StackStatus: status, CreationTime: created });
  return fields.replace('</member>', `<Outputs>${told.join('')}</Outputs></member>`);
}

function pageOf(start: number): QueryAnswer {
  const page = resources
    .slice(start, start + 2)
    .map(([LogicalResourceId, PhysicalResourceId, ResourceType]) =>
      member({ LogicalResourceId, PhysicalResourceId, ResourceType, ResourceStatus: 'CREATE_COMPLETE' }),
    );
  const next = start + 2 < resources.length ? element('NextToken', String(start + 2)) : '';
  return { xml: `<StackResourceSummaries>${page.join('')}</StackResourceSummaries>${next}` };
}

const alarmsOf = ({ alarms }: DeployedState, parameters: Readonly<Record<string, string>>) =>
  valuesOf(parameters, 'AlarmNames').flatMap((AlarmName) => {
    const alarm = alarms[AlarmName];
    if (alarm === undefined) return [];
    const { state: StateValue, enabled: ActionsEnabled, actions: AlarmActions } = alarm;
    return [{ AlarmName, StateValue, ActionsEnabled, AlarmActions }];
  });

const subscriptionsOf = ({ subscriptions }: DeployedState): string =>
  `<Subscriptions>${subscriptions
    .map((SubscriptionArn) => member({ SubscriptionArn, Protocol: 'email' }))
    .join('')}</Subscriptions>`;
