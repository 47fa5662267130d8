import {
  AssociateKmsKeyCommand,
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  DescribeLogGroupsCommand,
  DescribeMetricFiltersCommand,
  PutMetricFilterCommand,
  PutRetentionPolicyCommand,
  StandardUnit,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { textIn } from '../aws/deployed-resources.ts';
import { type Fault, type Inspected, safeguard } from './safeguard.ts';

type Group = Inspected<CloudWatchLogsClient>;

/** Without its group a function's lines are lost, and with them every metric and alarm made from them. */
export const logGroups = safeguard({
  type: 'AWS::Logs::LogGroup',
  noun: 'log group',
  open: (stack) => new CloudWatchLogsClient(serviceOptions(stack, 'logs')),
  isThrottled: true,
  async describe({ client, id }) {
    // The group itself is the first with this prefix.
    const request = new DescribeLogGroupsCommand({ logGroupNamePrefix: id });
    const { logGroups: found = [] } = await client.send(request);
    return found.find(({ logGroupName }) => logGroupName === id);
  },
  deleted(group) {
    const { client, id: logGroupName, what } = group;
    const kmsKeyId = keyOf(group);
    const create = new CreateLogGroupCommand({ logGroupName, ...(kmsKeyId && { kmsKeyId }) });
    return {
      message: `${what} was deleted, with its lines`,
      repair: { does: 'create it again, empty', run: () => client.send(create).then(() => keep(group)) },
    };
  },
  compare(found, group) {
    const { client, id: logGroupName, what } = group;
    const [days, kmsKeyId] = [daysOf(group), keyOf(group)];
    const faults: Fault[] = [];
    if (days > 0 && found.retentionInDays !== days) {
      const kept =
        found.retentionInDays === undefined ? 'without an end' : `for ${found.retentionInDays} days`;
      faults.push({
        message: `${what} keeps its lines ${kept}, not for ${days} days`,
        repair: { does: `keep them for ${days} days`, run: () => keep(group) },
      });
    }
    if (kmsKeyId !== undefined && found.kmsKeyId !== kmsKeyId) {
      const associate = new AssociateKmsKeyCommand({ logGroupName, kmsKeyId });
      faults.push({
        message: `${what} is not encrypted with ${kmsKeyId}`,
        repair: { does: 'encrypt what it receives from now on', run: () => client.send(associate) },
      });
    }
    return faults;
  },
});

const daysOf = ({ resource }: Group): number => Number(resource.properties['RetentionInDays'] ?? 0);
const keyOf = ({ deployed, resource }: Group) => textIn(deployed, resource.properties['KmsKeyId']);

async function keep(group: Group): Promise<void> {
  const retentionInDays = daysOf(group);
  if (retentionInDays === 0) return;
  await group.client.send(new PutRetentionPolicyCommand({ logGroupName: group.id, retentionInDays }));
}

// Strict, because a filter without one of its properties would count something else.
const filterProperties = v.strictObject({
  LogGroupName: v.unknown(),
  FilterPattern: v.string(),
  MetricTransformations: v.array(
    v.strictObject({
      ...{ MetricName: v.string(), MetricNamespace: v.string(), MetricValue: v.string() },
      Unit: v.enum(StandardUnit),
    }),
  ),
});

/** CloudWatch deletes a filter with its log group; the functions count the rest of its metric. */
export const metricFilters = safeguard({
  type: 'AWS::Logs::MetricFilter',
  noun: 'metric filter',
  open: (stack) => new CloudWatchLogsClient(serviceOptions(stack, 'logs')),
  isThrottled: true,
  async describe({ client, deployed, resource, id }) {
    const logGroupName = textIn(deployed, resource.properties['LogGroupName']);
    const describe = new DescribeMetricFiltersCommand({ logGroupName, filterNamePrefix: id });
    return (await client.send(describe)).metricFilters?.find(({ filterName }) => filterName === id);
  },
  deleted({ client, deployed, resource, id: filterName, what }) {
    const logGroupName = textIn(deployed, resource.properties['LogGroupName']);
    const parsed = v.safeParse(filterProperties, resource.properties);
    if (!parsed.success || logGroupName === undefined)
      return {
        message: `${what} was deleted, and this version cannot create it again`,
        fix: 'run this command with the version of payhooks that deployed the stack',
      };
    const { FilterPattern: filterPattern, MetricTransformations: metrics } = parsed.output;
    const put = new PutMetricFilterCommand({
      ...{ logGroupName, filterName, filterPattern },
      metricTransformations: metrics.map(({ MetricName, MetricNamespace, MetricValue, Unit: unit }) => ({
        ...{ metricName: MetricName, metricNamespace: MetricNamespace, metricValue: MetricValue, unit },
      })),
    });
    const measured = metrics.map(({ MetricName }) => MetricName).join(', ');
    return {
      message: `${what} was deleted, so alarms over ${measured} miss what it counts`,
      repair: { does: 'create it again', run: () => client.send(put) },
    };
  },
  compare: () => [],
});
