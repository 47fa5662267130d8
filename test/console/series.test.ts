import { describe, expect, it } from 'vitest';
import { createDeployedSeries } from '../../console/server/series/deployed.ts';
import { withoutHeartbeats } from '../../console/server/series/series.ts';
import { type Operation, stubAws } from '../doubles/aws-query.ts';

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
  Metadata: { 'payhooks:deployment': 'payhooks-shop' },
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

/** Values of the last minutes that are shown. */
const ending = (...values: readonly number[]) =>
  values.map((value, n): [number, number] => [60 - values.length + n, value]);

/** CloudWatch with these values: by metric, minutes after the first one that is shown, and value. */
async function setUp(values: Record<string, readonly (readonly [number, number])[]>) {
  const requests: Query[][] = [];
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
  await stubAws(operations);
  const read = createDeployedSeries(stack, () => Date.parse('2026-11-21T12:00:30.000Z'));
  return { read, requests };
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

  it('count no heartbeat as a webhook, also one that is still in the queue', async () => {
    const { read } = await setUp({
      Invocations: ending(1, 0, 1),
      ...{ NumberOfMessagesSent: ending(1, 7, 1), NumberOfMessagesDeleted: ending(1, 6, 0) },
    });
    const { accepted, recorded } = await read();
    expect(accepted.slice(-3)).toEqual([0, 7, 0]);
    expect(recorded.slice(-3)).toEqual([0, 6, 0]);
  });

  it('count no heartbeat that was sent before the hour and recorded in it', async () => {
    const beats = Array.from({ length: 18 }, (_, n): [number, number] => [n * 5 - 30, 1]);
    const { read } = await setUp({ Invocations: beats, NumberOfMessagesDeleted: ending(20) });
    expect((await read()).recorded.at(-1)).toBe(2);
  });

  it('are read once for everyone who looks within 30 seconds, because CloudWatch bills each reading', async () => {
    const { read, requests } = await setUp({});
    await Promise.all([read(), read()]);
    await read();
    // One reading has two pages, of 11 metrics each: every one costs money.
    expect(requests[0]).toHaveLength(11);
    expect(requests).toHaveLength(2);
  });
});

describe('heartbeats in a count per minute', () => {
  const near = [0, 1, -1];

  it.each<[string, number[], number[], number[], number[]]>([
    ['of their own minute', [0, 3, 1], [0, 1, 0], near, [0, 2, 1]],
    ['that the next minute counts', [0, 0, 2], [0, 1, 0], near, [0, 0, 1]],
    ['that the minute before counts', [2, 0, 0], [0, 1, 0], near, [1, 0, 0]],
    ['that were recorded long after', [0, 0, 0, 9], [1, 1, 0, 1], [0, 1, 2, 3, 4], [0, 0, 0, 6]],
    ['but no webhook of a minute further away', [0, 0, 5, 0], [1, 0, 0, 0], near, [0, 0, 5, 0]],
  ])('are left out: those %s', (_, counts, heartbeats, minutes, expected) => {
    expect(withoutHeartbeats(counts, heartbeats, minutes)).toEqual(expected);
  });
});
