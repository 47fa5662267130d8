import {
  CloudWatchLogsClient,
  DescribeMetricFiltersCommand,
  PutMetricFilterCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, textIn } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import { deletedByHand, type Fault, type Safeguard } from './safeguard.ts';

/** CloudWatch deletes a filter with its log group; the alarm over its metric then never fires. */
export const metricFilters: Safeguard = {
  name: 'metric filters',
  async inspect(deployed) {
    const client = new CloudWatchLogsClient(serviceOptions(deployed.stack, 'logs'));
    const filters = ofType(deployed, 'AWS::Logs::MetricFilter');
    const faults: Fault[] = [];
    for (const filter of filters) faults.push(...(await faultsOf(client, deployed, filter)));
    return { holds: `${counted(filters.length, 'metric filter')}: there`, faults };
  },
};

// Strict, because a filter without one of its properties would count something else.
const filterProperties = v.strictObject({
  LogGroupName: v.unknown(),
  FilterPattern: v.string(),
  MetricTransformations: v.array(
    v.strictObject({ MetricName: v.string(), MetricNamespace: v.string(), MetricValue: v.string() }),
  ),
});

async function faultsOf(
  client: CloudWatchLogsClient,
  deployed: Deployed,
  { physicalId: filterName, properties }: DeployedResource,
): Promise<Fault[]> {
  const logGroupName = textIn(deployed, properties['LogGroupName']);
  const describe = new DescribeMetricFiltersCommand({ logGroupName, filterNamePrefix: filterName });
  // The log group may have been deleted.
  const found = await client.send(describe).catch(deletedByHand);
  if (found?.metricFilters?.some((one) => one.filterName === filterName)) return [];
  const parsed = v.safeParse(filterProperties, properties);
  if (!parsed.success || logGroupName === undefined) {
    const message = `the metric filter ${filterName} was deleted, and this version cannot create it again`;
    return [{ message, fix: 'run this command with the version of payhooks that deployed the stack' }];
  }
  const { FilterPattern: filterPattern, MetricTransformations: metrics } = parsed.output;
  const put = new PutMetricFilterCommand({
    ...{ logGroupName, filterName, filterPattern },
    metricTransformations: metrics.map(({ MetricName, MetricNamespace, MetricValue }) => ({
      ...{ metricName: MetricName, metricNamespace: MetricNamespace, metricValue: MetricValue },
    })),
  });
  const measured = metrics.map(({ MetricName }) => MetricName).join(', ');
  return [
    {
      message: `the metric filter ${filterName} was deleted, so no alarm over ${measured} fires`,
      repair: { does: 'create it again', run: () => client.send(put) },
    },
  ];
}
