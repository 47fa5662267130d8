import {
  CloudWatchLogsClient,
  DescribeMetricFiltersCommand,
  PutMetricFilterCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { textIn } from '../aws/deployed-resources.ts';
import { safeguard } from './safeguard.ts';

// Strict, because a filter without one of its properties would count something else.
const filterProperties = v.strictObject({
  LogGroupName: v.unknown(),
  FilterPattern: v.string(),
  MetricTransformations: v.array(
    v.strictObject({ MetricName: v.string(), MetricNamespace: v.string(), MetricValue: v.string() }),
  ),
});

/** CloudWatch deletes a filter with its log group; the alarm over its metric then never fires. */
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
      metricTransformations: metrics.map(({ MetricName, MetricNamespace, MetricValue }) => ({
        ...{ metricName: MetricName, metricNamespace: MetricNamespace, metricValue: MetricValue },
      })),
    });
    const measured = metrics.map(({ MetricName }) => MetricName).join(', ');
    return {
      message: `${what} was deleted, so no alarm over ${measured} fires`,
      repair: { does: 'create it again', run: () => client.send(put) },
    };
  },
  compare: () => [],
});
