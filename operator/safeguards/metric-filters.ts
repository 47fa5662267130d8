import {
  CloudWatchLogsClient,
  DescribeMetricFiltersCommand,
  type DescribeMetricFiltersRequest,
  PutMetricFilterCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import { type Fault, isMissing, type Safeguard } from './safeguard.ts';

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

const placeOfFilter = v.object({ LogGroupName: v.object({ Ref: v.string() }) });

// Strict, because a filter without one of its properties would count something else.
const filterProperties = v.strictObject({
  ...placeOfFilter.entries,
  FilterPattern: v.string(),
  MetricTransformations: v.array(
    v.strictObject({ MetricName: v.string(), MetricNamespace: v.string(), MetricValue: v.string() }),
  ),
});

async function filterNames(client: CloudWatchLogsClient, wanted: DescribeMetricFiltersRequest) {
  try {
    const { metricFilters: found = [] } = await client.send(new DescribeMetricFiltersCommand(wanted));
    return found.map((one) => one.filterName);
  } catch (error) {
    // The log group was deleted.
    if (isMissing(error)) return [];
    throw error;
  }
}

async function faultsOf(
  client: CloudWatchLogsClient,
  { resources }: Deployed,
  { physicalId: filterName, properties }: DeployedResource,
): Promise<Fault[]> {
  const place = v.safeParse(placeOfFilter, properties);
  const group =
    place.success && resources.find(({ logicalId }) => logicalId === place.output.LogGroupName.Ref);
  if (!group) return [ofAnotherVersion(filterName, 'has a log group that this version cannot find')];
  const logGroupName = group.physicalId;
  const names = await filterNames(client, { logGroupName, filterNamePrefix: filterName });
  if (names.includes(filterName)) return [];
  const parsed = v.safeParse(filterProperties, properties);
  if (!parsed.success)
    return [ofAnotherVersion(filterName, 'was deleted, and this version cannot create it again')];
  const wanted = parsed.output;
  const put = new PutMetricFilterCommand({
    ...{ logGroupName, filterName, filterPattern: wanted.FilterPattern },
    metricTransformations: wanted.MetricTransformations.map(
      ({ MetricName, MetricNamespace, MetricValue }) => ({
        metricName: MetricName,
        metricNamespace: MetricNamespace,
        metricValue: MetricValue,
      }),
    ),
  });
  const metrics = wanted.MetricTransformations.map(({ MetricName }) => MetricName).join(', ');
  return [
    {
      message: `the metric filter ${filterName} was deleted, so no alarm over ${metrics} fires`,
      repair: { does: 'create it again', run: () => client.send(put) },
    },
  ];
}

const ofAnotherVersion = (filterName: string, what: string): Fault => ({
  message: `the metric filter ${filterName} ${what}`,
  fix: 'run this command with the version of payhooks that deployed the stack',
});
