import { describe, expect, it, vi } from 'vitest';
import { createDeployedSeries } from '../../console/server/series/deployed.ts';
import { type Operation, startAwsQuery } from '../doubles/aws-query.ts';

const stack = {
  name: 'payhooks-shop',
  region: 'us-east-1',
  outputs: {
    MetricsNamespace: 'payhooks/shop',
    EventQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/shop-queue',
  },
};

const functionOf = (service: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Environment: { Variables: { POWERTOOLS_SERVICE_NAME: service, KEY: { Ref: 'Secret' } } } },
});
const template = {
  Resources: {
    Verify: functionOf('verifier'),
    Beat: functionOf('heartbeat'),
    Provider: { Type: 'AWS::Lambda::Function', Properties: {} },
  },
};
const physicalIds = { Verify: 'shop-verify', Beat: 'shop-beat', Provider: 'shop-provider' };

interface Query {
  readonly Id: string;
  readonly MetricStat: {
    readonly Metric: { MetricName: string; Dimensions: readonly { Name: string; Value: string }[] };
    readonly Period: number;
    readonly Stat: string;
  };
}

const begin = Date.parse('2026-11-21T10:58:00.000Z') / 1_000;

/** CloudWatch with these values: by metric, minutes after the first one that is shown, and value. */
async function setUp(values: Record<string, readonly (readonly [number, number])[]>) {
  const requests: Query[][] = [];
  const calls: string[] = [];
  const operations: Record<string, Operation> = {
    GetTemplate: () => ({ TemplateBody: JSON.stringify(template) }),
    ListStackResources: () => ({
      StackResourceSummaries: Object.entries(physicalIds).map(([LogicalResourceId, PhysicalResourceId]) => ({
        ...{ LogicalResourceId, PhysicalResourceId, ResourceType: 'AWS::Lambda::Function' },
      })),
    }),
    GetMetricData(parameters) {
      const queries = Object.entries(parameters)
        .filter(([name]) => name.startsWith('MetricDataQueries.'))
        .map(([, query]) => JSON.parse(query) as Query);
      requests.push(queries);
      const isFirst = parameters['NextToken'] === undefined;
      return {
        ...(isFirst && { NextToken: 'more' }),
        // Two pages, the newest values first, as CloudWatch returns them by default.
        MetricDataResults: queries.map(({ Id, MetricStat }) => {
          const ofMetric = values[MetricStat.Metric.MetricName] ?? [];
          const page = isFirst ? ofMetric.slice(0, 1) : ofMetric.slice(1).toReversed();
          return {
            Id,
            Timestamps: page.map(([minute]) => begin + minute * 60),
            Values: page.map(([, value]) => value),
          };
        }),
      };
    },
  };
  const counted = Object.entries(operations).map(([name, operation]): [string, Operation] => [
    name,
    (parameters) => {
      calls.push(name);
      return operation(parameters);
    },
  ]);
  const endpoint = await startAwsQuery(Object.fromEntries(counted));
  const env = { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const read = createDeployedSeries(stack, () => Date.parse('2026-11-21T12:00:30.000Z'));
  return { read, requests, calls };
}

describe('the series of a deployed stack', () => {
  it('are read from CloudWatch, three minutes late', async () => {
    const { read } = await setUp({
      NumberOfMessagesSent: [
        [59, 4],
        [0, 2],
        [1, 3],
      ],
      SignatureMismatch: [[58, 5]],
      ApproximateAgeOfOldestMessage: [[57, 61]],
    });
    const series = await read();
    expect(series.since).toBe('2026-11-21T10:58:00.000Z');
    expect([...series.accepted.slice(0, 3), ...series.accepted.slice(-2)]).toEqual([2, 3, 0, 0, 4]);
    expect(series.refused.mismatch.slice(-3)).toEqual([0, 5, 0]);
    expect(series.oldest_seconds.slice(-4)).toEqual([null, 61, null, null]);
  });

  it('are read once for everyone who looks within 30 seconds, because CloudWatch bills each reading', async () => {
    const { read, calls } = await setUp({});
    await Promise.all([read(), read()]);
    await read();
    // One reading has two pages.
    expect(calls.filter((name) => name === 'GetMetricData')).toHaveLength(2);
  });
});
