import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { startCloudWatchLogs } from '../src/emulators/cloudwatch-logs.ts';
import { openLogLines } from '../src/log-lines.ts';
import { connect } from './harness.ts';
import { changed, readSample } from './sample-template.ts';

async function start() {
  const emulator = await startCloudWatchLogs();
  return { emulator, ...connect(emulator, CloudWatchLogs) };
}

const Logs = { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 90 } };
const logsOf = (reference: unknown) => ({
  Logs,
  ...changed('Worker', { LoggingConfig: { LogGroup: reference } }),
  ...changed('Stage', { AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': ['Logs', 'Arn'] } } }),
});

describe('the CloudWatch Logs emulator', () => {
  it('describes, creates and deletes groups, with their retention and key', async () => {
    const { client, emulator } = await start();
    emulator.createGroup({ logGroupName: 'kept', retentionInDays: 90 });
    await client.createLogGroup({ logGroupName: 'made', kmsKeyId: 'arn:aws:kms:us-east-1:0:key/1' });
    await client.putRetentionPolicy({ logGroupName: 'made', retentionInDays: 30 });
    const { logGroups = [] } = await client.describeLogGroups({});
    expect(logGroups).toMatchObject([
      {
        ...{ logGroupName: 'kept', retentionInDays: 90 },
        arn: 'arn:aws:logs:us-east-1:000000000000:log-group:kept:*',
      },
      { logGroupName: 'made', retentionInDays: 30, kmsKeyId: 'arn:aws:kms:us-east-1:0:key/1' },
    ]);
    await client.deleteLogGroup({ logGroupName: 'made' });
    expect((await client.describeLogGroups({ logGroupNamePrefix: 'm' })).logGroups).toEqual([]);
  });

  it('deletes the metric filters of a group with it', async () => {
    const { client, emulator } = await start();
    const Filter = {
      Type: 'AWS::Logs::MetricFilter',
      Properties: {
        FilterPattern: '{ $.status = "429" }',
        LogGroupName: { Ref: 'Logs' },
        MetricTransformations: [{ MetricName: 'throttled', MetricNamespace: 'shop', MetricValue: '1' }],
      },
    };
    openLogLines({ model: readSample({ Logs, Filter }), logs: emulator, add: () => expect.unreachable() });
    const logGroupName = 'Logs';
    const described = async (filterNamePrefix: string) =>
      (await client.describeMetricFilters({ logGroupName, filterNamePrefix })).metricFilters;
    const metricTransformations = [{ metricName: 'throttled', metricNamespace: 'shop', metricValue: '1' }];
    const filterPattern = '{ $.status = "429" }';
    expect(await described('F')).toEqual([
      { logGroupName, filterName: 'Filter', filterPattern, metricTransformations },
    ]);
    await client.deleteLogGroup({ logGroupName });
    await expect(described('F')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await client.createLogGroup({ logGroupName });
    expect(await described('F')).toEqual([]);
  });
});

describe('the lines of a function', () => {
  it('are counted for its log group, as are invocations and the responses of an API', async () => {
    const { client, emulator } = await start();
    const counted: unknown[] = [];
    const lines = openLogLines({
      model: readSample(logsOf({ Ref: 'Logs' })),
      logs: emulator,
      add: (...metric) => counted.push(metric),
    });
    expect(lines.takesLine('Worker', 'the line')).toBe(true);
    const { events } = await client.filterLogEvents({ logGroupName: 'Logs', startTime: 1 });
    expect(events).toEqual([{ timestamp: expect.any(Number), message: 'the line' }]);
    lines.addInvocation('Worker');
    lines.addResponse('Api');
    const metric = (IncomingLogEvents: number) => [
      'AWS/Logs',
      { LogGroupName: 'Logs' },
      { IncomingLogEvents },
    ];
    expect(counted).toEqual([metric(1), metric(3), metric(1)]);
  });
});
