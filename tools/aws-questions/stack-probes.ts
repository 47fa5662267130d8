import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Lambda } from '@aws-sdk/client-lambda';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { feedDetailType, feedSources } from '../../lambdas/order-feed/order-status-changed.ts';
import { awsClientOptions, sqsOptions } from '../../operator/aws/client-options.ts';
import { listResources } from '../../operator/aws/deployed-resources.ts';
import { absentAt } from '../../operator/aws/errors.ts';
import { readLines } from '../../operator/aws/log-search.ts';
import { queueDepth } from '../../operator/aws/queues.ts';
import { openSecret } from '../../operator/aws/versioned-secret.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { describeDeployed, inspect } from '../../operator/safeguards/inspect.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';
import type { Probe } from './probe.ts';

/** Of the lines about heartbeats. */
const retentionMilliseconds = 7 * 86_400_000;

/** A queue beside the stack, which lets the caller look. */
async function createQueue(stack: Stack, end: string, Attributes: Record<string, string> = {}) {
  const sqs = new SQS(sqsOptions(stack));
  const { QueueUrl = '' } = await sqs.createQueue({ QueueName: `${stack.name}-probe-${end}`, Attributes });
  const found = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  return { sqs, QueueUrl, arn: `${found.Attributes?.['QueueArn']}` };
}

/** Of the bus, to such a queue. */
const ruleName = 'probe';

export async function removeWhatProbesMade(stack: Stack): Promise<void> {
  const prefix = `${stack.name}-probe-`;
  const sqs = new SQS(sqsOptions(stack));
  const { QueueUrls = [] } = await sqs.listQueues({ QueueNamePrefix: prefix });
  for (const QueueUrl of QueueUrls) await sqs.deleteQueue({ QueueUrl });
  const options = { ...awsClientOptions, region: stack.region };
  const cloudWatch = new CloudWatch(options);
  const { MetricAlarms = [] } = await cloudWatch.describeAlarms({ AlarmNamePrefix: prefix });
  const AlarmNames = MetricAlarms.map(({ AlarmName = '' }) => AlarmName);
  if (AlarmNames.length > 0) await cloudWatch.deleteAlarms({ AlarmNames });
  const events = new EventBridge(options);
  const rule = { EventBusName: stack.name, Rule: ruleName, Name: ruleName, Ids: [ruleName] };
  await events.removeTargets(rule).catch(absentAt('ResourceNotFoundException'));
  await events.deleteRule(rule).catch(absentAt('ResourceNotFoundException'));
}

/** The resources that AWS describes with this key. */
async function usersOf(key: string, stack: Stack): Promise<readonly string[]> {
  const options = { ...awsClientOptions, region: stack.region };
  const sqs = new SQS(sqsOptions(stack));
  const [secrets, dynamodb] = [new SecretsManager(options), new DynamoDB(options)];
  const [events, lambda, logs] = [new EventBridge(options), new Lambda(options), new CloudWatchLogs(options)];
  const describe: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'AWS::DynamoDB::Table': (TableName) => dynamodb.describeTable({ TableName }),
    'AWS::Events::Archive': (ArchiveName) => events.describeArchive({ ArchiveName }),
    'AWS::Events::EventBus': (Name) => events.describeEventBus({ Name }),
    'AWS::Lambda::Function': (FunctionName) => lambda.getFunctionConfiguration({ FunctionName }),
    'AWS::Logs::LogGroup': (logGroupNamePrefix) => logs.describeLogGroups({ logGroupNamePrefix }),
    'AWS::SecretsManager::Secret': (SecretId) => secrets.describeSecret({ SecretId }),
    'AWS::SQS::Queue': (QueueUrl) => sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] }),
  };
  const users: string[] = [];
  for (const { type, logicalId, physicalId } of await listResources(stack))
    if (JSON.stringify(await describe[type]?.(physicalId))?.includes(basename(key))) users.push(logicalId);
  return users;
}

const recorded = (isRecorded: boolean) => `an event was ${isRecorded ? '' : 'not '}recorded`;

/** They look at what AWS made of the stack, or change it as a person would. */
export const stackProbes = {
  settings: {
    async ask({ records }) {
      const isExpected = await records();
      return { isExpected, evidence: `deployed; ${recorded(isExpected)}` };
    },
  },
  'dead-letters': {
    async ask({ stack, until }) {
      const { sqs, QueueUrl, arn } = await createQueue(stack, 'dead');
      const guarded = { QueueUrl: outputOf(stack, 'DeadLetterQueueUrl'), AttributeNames: ['All' as const] };
      const { Attributes = {} } = await sqs.getQueueAttributes(guarded);
      const Policy = `${Attributes['Policy']}`.replaceAll(`${Attributes['QueueArn']}`, arn);
      await sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1 });
      const source = await createQueue(stack, 'source', { RedrivePolicy, VisibilityTimeout: '0' });
      await sqs.sendMessage({ QueueUrl: source.QueueUrl, MessageBody: 'text' });
      const receive = async () => {
        await sqs.receiveMessage({ QueueUrl: source.QueueUrl, WaitTimeSeconds: 1 });
        return queueDepth(stack, QueueUrl);
      };
      const depth = await until(receive, (messages) => messages > 0);
      return { isExpected: depth === 1, evidence: `${depth} message in a queue with the same policy` };
    },
  },
  expiry: {
    hours: 72,
    async ask({ stack, lookUp }) {
      const lines = { message: 'heartbeat returned', since: Date.now() - retentionMilliseconds };
      const found = await readLines(stack, 'HeartbeatReturnLogGroup', lines);
      if (found.length === 0) throw new CommandError('failed', 'No heartbeat has returned.');
      const get = (at: number) => lookUp(JSON.parse(`${found.at(at)?.text}`).order_id, '?mode=heartbeat');
      const [first, latest] = [await get(0), await get(-1)];
      return { isExpected: first === 404 && latest === 200, evidence: `first ${first}, latest ${latest}` };
    },
  },
  status: {
    async ask({ stack }) {
      const faults = (await inspect(await describeDeployed(stack))).map(({ message }) => message);
      return { isExpected: faults.length === 0, evidence: faults.join('; ') || 'as deployed' };
    },
  },
  seal: {
    async ask({ stack, until, records }) {
      const found = (await listResources(stack)).find(({ logicalId }) => logicalId.startsWith('SealSecret'));
      const SecretId = `${found?.physicalId}`;
      const secret = openSecret(stack, SecretId);
      const former = await secret.read();
      await new SecretsManager({ ...awsClientOptions, region: stack.region }).rotateSecret({ SecretId });
      const latest = await until(secret.read, (current) => current?.text !== former?.text);
      const isRotated = latest?.text !== former?.text;
      const isRecorded = await records();
      const evidence = `${isRotated ? 'a new' : 'the former'} value; ${recorded(isRecorded)}`;
      return { isExpected: isRotated && isRecorded, evidence };
    },
  },
  replay: {
    // Events reach the archive within ten minutes.
    hours: 72,
    async ask({ stack, until }) {
      const events = new EventBridge({ ...awsClientOptions, region: stack.region });
      const bus = outputOf(stack, 'OrderFeedBusArn');
      // It has the name of its bus.
      const archive = bus.replace(':event-bus/', ':archive/');
      const Principal = { Service: 'events.amazonaws.com' };
      const Statement = { Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: '*' };
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
      const { sqs, QueueUrl, arn } = await createQueue(stack, 'replay', { Policy });
      const rule = { EventBusName: basename(bus), Rule: ruleName, Name: ruleName };
      const EventPattern = JSON.stringify({ source: [feedSources.live] });
      const { RuleArn = '' } = await events.putRule({ ...rule, EventPattern });
      await events.putTargets({ ...rule, Targets: [{ Id: ruleName, Arn: arn }] });
      const ours = { Source: feedSources.live, DetailType: feedDetailType, Detail: '{}' };
      const refusal = await events.putEvents({ Entries: [{ ...ours, EventBusName: basename(bus) }] }).then(
        ({ Entries }) => Entries?.[0]?.ErrorCode,
        (error: Error) => error.name,
      );
      const ReplayName = randomUUID();
      await events.startReplay({
        ...{ ReplayName, EventSourceArn: archive, Destination: { Arn: bus, FilterArns: [RuleArn] } },
        ...{ EventStartTime: new Date(Date.now() - retentionMilliseconds), EventEndTime: new Date() },
      });
      const receive = async () => {
        const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 1 });
        return Messages.some(({ Body }) => Body?.includes(ReplayName));
      };
      const isReplayed = await until(receive, (isHere) => isHere).finally(() =>
        // It fails after the end of the replay.
        events.cancelReplay({ ReplayName }).catch(() => undefined),
      );
      const entry = `an entry in our name ${refusal ?? 'was accepted'}`;
      const evidence = `${isReplayed ? '' : 'not '}replayed; ${entry}`;
      return { isExpected: isReplayed && /AccessDenied|NotAuthorized/.test(`${refusal}`), evidence };
    },
  },
  /** The last one: events and log lines that came before cannot be read without the key. */
  'key-off': {
    hours: 72,
    async ask({ stack, redeploy, until, records }) {
      const key = outputOf(stack, 'EncryptionKeyArn');
      const { length } = await usersOf(key, stack);
      await redeploy({ encryptionKeyArn: undefined });
      const left = await until(
        () => usersOf(key, stack),
        (users) => users.length === 0,
      );
      const isRecorded = await records();
      const evidence = `${length} resources, then ${left.join(', ') || 'none'}; ${recorded(isRecorded)}`;
      return { isExpected: length > 0 && left.length === 0 && isRecorded, evidence };
    },
  },
} satisfies Record<string, Probe>;
