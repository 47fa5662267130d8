import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { expect, it } from 'vitest';
import { startCloudWatchLogs } from '../src/emulators/cloudwatch-logs.ts';
import { openLogLines } from '../src/log-lines.ts';
import { connect } from './harness.ts';
import { changed, readSample } from './sample-template.ts';

const Format =
  '{"id":"$context.requestId","ip":"$context.identity.sourceIp","error":"$context.error.message"}';
const withLogs = {
  Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 90 } },
  ...changed('Worker', { LoggingConfig: { LogGroup: { Ref: 'Logs' } } }),
  ...changed('Stage', { AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': ['Logs', 'Arn'] }, Format } }),
};

it('the lines of a function are counted for its log group, as invocations and responses are', async () => {
  const emulator = await startCloudWatchLogs();
  const { client } = connect(emulator, CloudWatchLogs);
  const counted: unknown[] = [];
  const lines = openLogLines({
    model: readSample(withLogs),
    logs: emulator,
    add: (...metric) => counted.push(metric),
  });
  expect(lines.takesLine('Worker', 'the line')).toBe(true);
  const { events } = await client.filterLogEvents({ logGroupName: 'Logs', startTime: 1 });
  expect(events).toEqual([{ timestamp: expect.any(Number), message: 'the line' }]);
  lines.addInvocation('Worker');
  lines.addResponse('Api', { requestId: 'request-1', sourceIp: '127.0.0.1', status: 403 });
  expect((await client.filterLogEvents({ logGroupName: 'Logs', startTime: 1 })).events?.at(-1)?.message).toBe(
    '{"id":"request-1","ip":"127.0.0.1","error":"-"}',
  );
  const metric = (IncomingLogEvents: number) => ['AWS/Logs', { LogGroupName: 'Logs' }, { IncomingLogEvents }];
  expect(counted).toEqual([metric(1), metric(3), metric(1)]);
});
