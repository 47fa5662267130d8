import { type EventSourceMappingConfiguration, Lambda } from '@aws-sdk/client-lambda';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import { startMappings } from '../src/event-source-mapping/mappings.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import { clientSettings, success, thrown } from './harness.ts';
import { type Changes, readSample, streamed } from './sample-template.ts';

const hour = 60 * 60 * 1_000;
const onFailure = { OnFailure: { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } } };
const reports = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const feed = streamed({ ...reports, DestinationConfig: onFailure });

/** The mappings of a template, with Lambda's API to switch them and a clock that the test moves. */
async function start(changes: Changes = feed, outcome: Invocation = success) {
  const clock = { now: Date.parse('2026-11-02T09:00:00.000Z') };
  const emulators = await startEmulators(undefined, () => clock.now);
  onTestFinished(emulators.close);
  const lambda = new Lambda(clientSettings(emulators.endpoints.lambda));
  onTestFinished(() => lambda.destroy());
  const model = readSample(changes, { sqsEndpoint: emulators.endpoints.sqs });
  await createResources(model, emulators);
  const ids: string[] = [];
  const ages: number[] = [];
  const invoke = async (_: string, event: unknown): Promise<Invocation> => {
    const { Records } = event as { Records: { dynamodb: { Keys: { id: { S: string } } } }[] };
    ids.push(...Records.map(({ dynamodb }) => dynamodb.Keys.id.S));
    return outcome;
  };
  onTestFinished(
    await startMappings({
      ...{ model, emulators, functions: { invoke }, onFault: () => {}, now: () => clock.now },
      addMetrics: (_namespace, _dimensions, { IteratorAge = 0 }) => ages.push(IteratorAge),
    }),
  );
  const find = async (): Promise<EventSourceMappingConfiguration> => {
    const { EventSourceMappings = [] } = await lambda.listEventSourceMappings({ FunctionName: 'Worker' });
    const found = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes('Orders'));
    return found ?? expect.unreachable('There is no mapping of the stream.');
  };
  const change = async (changes: object): Promise<void> => {
    const { UUID } = await find();
    await lambda.updateEventSourceMapping({ UUID, ...changes });
    await expect.poll(async () => (await find()).State).toMatch(/^(En|Dis)abled$/);
  };
  const put = (id: string) =>
    emulators.clients.dynamodb.putItem({ TableName: 'Orders', Item: { id: { S: id } } });
  const receiveFailure = async (): Promise<unknown> => {
    const QueueUrl = `${emulators.endpoints.sqs}/000000000000/DeadLetters`;
    const receive = { QueueUrl, WaitTimeSeconds: 10 };
    const { Messages } = await emulators.clients.sqs.receiveMessage(receive);
    return JSON.parse(Messages?.[0]?.Body ?? 'null');
  };
  return { clock, ids, ages, change, put, receiveFailure };
}

describe('an event source mapping', () => {
  it('of a stream reads what came while it was off, with its age', async () => {
    const { ids, ages, change, put, clock } = await start();
    await change({ Enabled: false });
    await put('kept');
    clock.now += 23 * hour;
    await change({ Enabled: true });
    await expect.poll(() => ids).toEqual(['kept']);
    await expect.poll(() => ages).toEqual([23 * hour]);
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
