import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { SQS } from '@aws-sdk/client-sqs';
import { awsClientOptions, sqsOptions } from '../../operator/aws/client-options.ts';
import { readLines } from '../../operator/aws/log-search.ts';
import { queueDepth } from '../../operator/aws/queues.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { describeDeployed, inspect } from '../../operator/safeguards/inspect.ts';
import { logGroups } from '../../operator/safeguards/logs.ts';
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

export async function removeWhatProbesMade(stack: Stack): Promise<void> {
  const sqs = new SQS(sqsOptions(stack));
  const { QueueUrls = [] } = await sqs.listQueues({ QueueNamePrefix: `${stack.name}-probe-` });
  for (const QueueUrl of QueueUrls) await sqs.deleteQueue({ QueueUrl });
}

/** They look at what AWS made of the stack, or change it as a person would. */
export const stackProbes = {
  settings: {
    async ask({ records }) {
      const isExpected = await records();
      return { isExpected, evidence: `deployed; an event was ${isExpected ? '' : 'not '}recorded` };
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
  'log-group': {
    async ask({ stack, status, until }) {
      const logs = new CloudWatchLogs({ ...awsClientOptions, region: stack.region });
      await logs.deleteLogGroup({ logGroupName: outputOf(stack, 'ConsumerLogGroup') });
      for (const { repair } of await logGroups.inspect(await describeDeployed(stack))) await repair?.run();
      const since = Date.now();
      const read = async () => {
        // The consumer logs what it cannot read.
        await status(Buffer.from(`no event, ${Date.now()}`));
        return readLines(stack, 'ConsumerLogGroup', { since });
      };
      const { length } = await until(read, (lines) => lines.length > 0);
      const seconds = Math.ceil((Date.now() - since) / 1_000);
      return { isExpected: length > 0, evidence: `${length > 0 ? 'a' : 'no'} line after ${seconds} s` };
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
} satisfies Record<string, Probe>;
