import { type EventSourceMappingConfiguration, Lambda } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import { startScheduler } from '../src/emulators/scheduler.ts';
import { startMappings } from '../src/event-source-mapping/mappings.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import { clientSettings, connect, success, thrown } from './harness.ts';
import { type Changes, changed, readSample, streamed } from './sample-template.ts';

const hour = 60 * 60 * 1_000;
const onFailure = { OnFailure: { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } } };
const reports = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const feed = {
  ...streamed({ ...reports, DestinationConfig: onFailure }),
  ...changed('Mapping', { MaximumBatchingWindowInSeconds: 0 }),
};

/** The mappings of a template, with Lambda's API to switch them and a clock that the test moves. */
async function start(changes: Changes = feed, outcome: Invocation = success) {
  const emulators = await startEmulators();
  onTestFinished(emulators.close);
  const lambda = new Lambda(clientSettings(emulators.endpoints.lambda));
  onTestFinished(() => lambda.destroy());
  const model = readSample(changes, { sqsEndpoint: emulators.endpoints.sqs });
  await createResources(model, emulators);
  const clock = { now: Date.parse('2026-11-02T09:00:00.000Z') };
  const ids: string[] = [];
  const ages: number[] = [];
  const invoke = async (_: string, event: unknown): Promise<Invocation> => {
    const { Records } = event as { Records: { body?: string; dynamodb?: { Keys: { id: { S: string } } } }[] };
    ids.push(...Records.map(({ body, dynamodb }) => body ?? dynamodb?.Keys.id.S ?? ''));
    return outcome;
  };
  onTestFinished(
    await startMappings({
      ...{ model, emulators, functions: { invoke }, onFault: () => {}, now: () => clock.now },
      addMetrics: (_namespace, _dimensions, { IteratorAge = 0 }) => ages.push(IteratorAge),
    }),
  );
  const find = async (name: 'Orders' | 'Events'): Promise<EventSourceMappingConfiguration> => {
    const { EventSourceMappings = [] } = await lambda.listEventSourceMappings({ FunctionName: 'Worker' });
    const found = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes(name));
    return found ?? expect.unreachable(`There is no mapping of ${name}.`);
  };
  const change = async (name: 'Orders' | 'Events', changes: object): Promise<void> => {
    const { UUID } = await find(name);
    await lambda.updateEventSourceMapping({ UUID, ...changes });
    await expect.poll(async () => (await find(name)).State).toMatch(/^(En|Dis)abled$/);
  };
  const put = (id: string) =>
    emulators.clients.dynamodb.putItem({ TableName: 'Orders', Item: { id: { S: id } } });
  const QueueUrl = `${emulators.endpoints.sqs}/000000000000/Events`;
  const send = (MessageBody: string) => emulators.clients.sqs.sendMessage({ QueueUrl, MessageBody });
  const receiveFailure = async (): Promise<unknown> => {
    const DeadLetters = QueueUrl.replace('Events', 'DeadLetters');
    const receive = { QueueUrl: DeadLetters, WaitTimeSeconds: 10 };
    const { Messages } = await emulators.clients.sqs.receiveMessage(receive);
    return JSON.parse(Messages?.[0]?.Body ?? 'null');
  };
  return { clock, ids, ages, find, change, put, send, receiveFailure, lambda };
}

describe('an event source mapping', () => {
  it('is described as Lambda does', async () => {
    const { find, lambda } = await start();
    const described = {
      EventSourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000',
      FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
      State: 'Enabled',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:DeadLetters' } },
    };
    const { UUID } = await find('Orders');
    expect(UUID).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await lambda.getEventSourceMapping({ UUID })).toMatchObject({ UUID, ...described });
  });

  it('of a stream reads nothing while it is disabled, and then what was written meanwhile', async () => {
    const { ids, change, put, find } = await start();
    await put('before');
    await expect.poll(() => ids).toEqual(['before']);
    await change('Orders', { Enabled: false });
    expect((await find('Orders')).State).toBe('Disabled');
    await put('during');
    await put('during too');
    expect(ids).toEqual(['before']);
    await change('Orders', { Enabled: true });
    await expect.poll(() => ids).toEqual(['before', 'during', 'during too']);
    await put('after');
    await expect.poll(() => ids).toEqual(['before', 'during', 'during too', 'after']);
  });

  it('of a stream never reads what is older than 24 hours when it is enabled', async () => {
    const { ids, ages, change, put, clock } = await start();
    await change('Orders', { Enabled: false });
    await put('lost');
    clock.now += 2 * hour;
    await put('kept');
    clock.now += 23 * hour;
    await change('Orders', { Enabled: true });
    await expect.poll(() => ids).toEqual(['kept']);
    await expect.poll(() => ages).toEqual([23 * hour]);
  });

  it('of a queue receives nothing while it is disabled', async () => {
    const { ids, change, send } = await start();
    await change('Events', { Enabled: false });
    await send('one');
    expect(ids).toEqual([]);
    await change('Events', { Enabled: true });
    await expect.poll(() => ids).toEqual(['one']);
  });

  it('of a stream sends what its function fails on to the queue for failures', async () => {
    const { put, receiveFailure } = await start(
      { ...feed, ...streamed({ MaximumRetryAttempts: 0, DestinationConfig: onFailure }) },
      thrown,
    );
    await put('one');
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:Worker';
    const requestContext = { functionArn, condition: 'RetryAttemptsExhausted' };
    expect(await receiveFailure()).toMatchObject({ requestContext });
  });

  it('of a stream that has one already is refused', async () => {
    const twice = { ...feed, Second: feed.Feed };
    await expect(start(twice)).rejects.toThrow('Second is the second mapping of its stream');
  });
});

describe('the EventBridge Scheduler emulator', () => {
  it('switches a schedule off and on', async () => {
    const emulator = await startScheduler();
    const { client } = connect(emulator, SchedulerClient);
    const Target = { Arn: 'function-arn', RoleArn: 'role-arn', Input: '{}' };
    const definition = {
      FlexibleTimeWindow: { Mode: 'OFF' },
      ScheduleExpression: 'rate(1 minute)',
      Target,
    } as const;
    emulator.addSchedule('Audit', { ...definition, ScheduleExpressionTimezone: 'UTC', State: 'ENABLED' });
    expect(await client.send(new GetScheduleCommand({ Name: 'Audit' }))).toMatchObject({
      ...{ Name: 'Audit', GroupName: 'default', State: 'ENABLED', Target },
    });
    await client.send(new UpdateScheduleCommand({ Name: 'Audit', ...definition, State: 'DISABLED' }));
    expect(emulator.isEnabled('Audit')).toBe(false);
    await client.send(new UpdateScheduleCommand({ Name: 'Audit', ...definition }));
    expect(emulator.isEnabled('Audit')).toBe(true);
  });
});
