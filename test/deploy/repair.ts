import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  DescribeMetricFiltersCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOptions, stackName } from './deployment.ts';
import type { Target } from './target.ts';
import { typePayhooks } from './typed-command.ts';

const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
const [, documented = ''] = /^## Changed by hand\n.*?^```sh\n(.*?)^```/ms.exec(runbook) ?? [];
const [compare = '', restore = ''] = documented.split('\n');
const timeout = 180_000;

const asDeployed = {
  mappings: ['Enabled', 'Enabled'],
  isProtected: true,
  recovery: 'ENABLED',
  expiry: 'ENABLED',
  retention: [30],
  counted: [['{ $.status = "429" }', [['payhooks/ministack', 'WebhooksThrottled']]]],
};

/** A stack with `keepData` that someone changes by hand, and the commands of the runbook. */
export function proveRepair(target: () => Target): void {
  const output = (name: string): string => target().outputs[name] ?? expect.unreachable(`no output ${name}`);
  const connect = () => {
    const options = clientOptions(target().ministack);
    return {
      dynamodb: new DynamoDBClient(options),
      lambda: new LambdaClient(options),
      logs: new CloudWatchLogsClient(options),
    };
  };
  let clients: ReturnType<typeof connect>;
  beforeAll(() => {
    clients = connect();
  });
  afterAll(() => {
    for (const client of Object.values(clients ?? {})) client.destroy();
  });

  /** Types a command of the runbook as it is written there, for this stack. */
  async function type(command: string, ...options: readonly string[]) {
    return typePayhooks(target().ministack, [
      ...command.split(' ').slice(1),
      '--stack',
      stackName,
      ...options,
    ]);
  }

  async function stateOfStack() {
    const { dynamodb, lambda, logs } = clients;
    const [events, orders] = [output('EventsTableName'), output('OrdersTableName')];
    const table = await dynamodb.send(new DescribeTableCommand({ TableName: orders }));
    const backups = await dynamodb.send(new DescribeContinuousBackupsCommand({ TableName: events }));
    const expiry = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName: events }));
    const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
    const logGroupNamePrefix = output('ConsumerLogGroup');
    const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix }));
    const { metricFilters = [] } = await logs.send(new DescribeMetricFiltersCommand({}));
    return {
      mappings: EventSourceMappings.map(({ State }) => State),
      isProtected: table.Table?.DeletionProtectionEnabled,
      recovery:
        backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
      expiry: expiry.TimeToLiveDescription?.TimeToLiveStatus,
      retention: logGroups.map(({ retentionInDays }) => retentionInDays),
      counted: metricFilters.map(({ filterPattern, metricTransformations }) => [
        filterPattern,
        metricTransformations?.map(({ metricNamespace, metricName }) => [metricNamespace, metricName]),
      ]),
    };
  }

  async function changeByHand(): Promise<void> {
    const { dynamodb, lambda, logs } = clients;
    const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
    for (const { UUID } of EventSourceMappings)
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
    for (const name of ['ConsumerLogGroup', 'WebhookAccessLogGroup'])
      await logs.send(new DeleteLogGroupCommand({ logGroupName: output(name) }));
    const orders = { TableName: output('OrdersTableName'), DeletionProtectionEnabled: false };
    await dynamodb.send(new UpdateTableCommand(orders));
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: false };
    const events = { TableName: output('EventsTableName'), PointInTimeRecoverySpecification };
    await dynamodb.send(new UpdateContinuousBackupsCommand(events));
  }

  it('has nothing to repair, other than what MiniStack does not deploy', { timeout }, async () => {
    // MiniStack drops the expiry of a table.
    const { code, stdout } = await type(restore, '--yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining(' do not expire')]);
    expect(await stateOfStack()).toEqual(asDeployed);
    expect(await type(restore)).toMatchObject({ code: 0, stdout: 'Everything is as it was deployed.\n' });
  });

  it('shows what was changed by hand, and changes nothing', { timeout }, async () => {
    await changeByHand();
    const before = await stateOfStack();
    const { code, stdout } = await type(compare);
    expect(stdout).toContain('✗ the mapping of the consumer is disabled');
    expect(stdout).toContain('✗ the mapping of the order feed is disabled');
    expect(stdout).toContain(`✗ the log group ${output('ConsumerLogGroup')} was deleted`);
    expect(stdout).toMatch(/✗ the metric filter .* was deleted, so no alarm over \w+ fires/);
    expect(stdout).toContain(`✗ the table ${output('OrdersTableName')} is not protected from deletion`);
    expect(stdout).toContain(`✗ the table ${output('EventsTableName')} has no point-in-time recovery`);
    expect(code).toBe(1);
    expect(await stateOfStack()).toEqual(before);
  });

  it('restores what was changed by hand', { timeout }, async () => {
    const { code, stdout } = await type(restore, '--yes');
    expect(stdout).toContain('Everything is as it was deployed again.');
    expect([code, await stateOfStack()]).toEqual([0, asDeployed]);
  });
}
