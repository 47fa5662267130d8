import { randomUUID } from 'node:crypto';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudWatch, type Metric } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { describeAlarms } from '../../operator/aws/alarm-states.ts';
import { awsClientOptions } from '../../operator/aws/client-options.ts';
import { listResources } from '../../operator/aws/deployed-resources.ts';
import { readLines } from '../../operator/aws/log-search.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { describeDeployed } from '../../operator/safeguards/inspect.ts';
import { logGroups } from '../../operator/safeguards/logs.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import type { Probe } from './probe.ts';

/** At once, which is no flood. */
const throttledRequests = 20;

/** They look at what API Gateway and functions leave in CloudWatch. */
export const cloudWatchProbes = {
  alarms: {
    async ask({ stack, status, until }) {
      const verifier = (await listResources(stack)).find(({ logicalId }) =>
        logicalId.startsWith('VerifierFunctionLambda'),
      );
      await status(Buffer.from('no event'));
      const cloudWatch = new CloudWatch({ ...awsClientOptions, region: stack.region });
      const names = ['missing', 'success'].map((end) => `${stack.name}-probe-${end}`);
      const put = (AlarmName: string | undefined, TreatMissingData: string, metric: Metric) =>
        cloudWatch.putMetricAlarm({
          ...{ AlarmName, TreatMissingData, EvaluationPeriods: 1, Threshold: 1 },
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          Metrics: [
            { Id: 'filled', Expression: 'FILL(value, 1)' },
            { Id: 'value', MetricStat: { Metric: metric, Period: 300, Stat: 'Minimum' }, ReturnData: false },
          ],
        });
      // Without FILL the first would be OK. If a success leaves no 0, the second fires.
      await put(names[0], 'notBreaching', { Namespace: stack.name, MetricName: 'NeverThere' });
      const Dimensions = [{ Name: 'FunctionName', Value: verifier?.physicalId }];
      await put(names[1], 'breaching', { Namespace: 'AWS/Lambda', MetricName: 'Errors', Dimensions });
      const look = async () => {
        const found = await describeAlarms(names);
        return names.map((name) => found.find((alarm) => alarm.name === name)?.state).join(', ');
      };
      const states = await until(look, (found) => found === 'ALARM, OK');
      if (/INSUFFICIENT_DATA/.test(states)) throw new CommandError('failed', `Not evaluated: ${states}.`);
      return { isExpected: states === 'ALARM, OK', evidence: states };
    },
  },
  throttled: {
    async ask({ stack, status, until }) {
      const api = new ApiGatewayV2({ ...awsClientOptions, region: stack.region });
      const [ApiId = ''] = new URL(outputOf(stack, 'WebhookUrl')).hostname.split('.');
      const stage = { ApiId, StageName: '$default' };
      const { DefaultRouteSettings } = await api.getStage(stage);
      const since = Date.now();
      const send = async () => {
        const requests = Array.from({ length: throttledRequests }, () => status(Buffer.from('no event')));
        return (await Promise.all(requests)).filter((got) => got === 429).length;
      };
      let requests: number;
      try {
        const slow = { ...DefaultRouteSettings, ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 };
        await api.updateStage({ ...stage, DefaultRouteSettings: slow });
        requests = await until(send, (throttled) => throttled > 0);
      } finally {
        await api.updateStage({ ...stage, DefaultRouteSettings });
      }
      if (requests === 0) throw new CommandError('failed', 'No request got 429.');
      const count = async () => {
        const lines = await readLines(stack, 'WebhookAccessLogGroup', { since });
        return lines.filter(({ text }) => JSON.parse(text).status === '429').length;
      };
      const logged = await until(count, (found) => found >= requests);
      return { isExpected: logged >= requests, evidence: `${requests} responses, ${logged} lines` };
    },
  },
  'access-log': {
    async ask({ stack, lookUp, until }) {
      const [id, since] = [randomUUID(), Date.now()];
      await lookUp(`${id} "quoted"`);
      const read = async () => {
        const lines = await readLines(stack, 'OrderQueryAccessLogGroup', { since });
        return lines.find(({ text }) => text.includes(id))?.text;
      };
      const line = await until(read, (found) => found !== undefined);
      if (line === undefined) throw new CommandError('failed', 'The access log has no line.');
      const [evidence = line] = /"path":.*/.exec(line) ?? [];
      return { isExpected: isReadable(line, `${id} "quoted"`), evidence };
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
} satisfies Record<string, Probe>;

/** Whether a line is JSON with the whole path, decoded or not. */
function isReadable(line: string, orderId: string): boolean {
  try {
    return decodeURIComponent(JSON.parse(line).path).endsWith(`/orders/${orderId}`);
  } catch {
    return false;
  }
}
