import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Emulators, startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import { startMappings } from '../src/event-source-mapping/mappings.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import { type Changes, readSample, sampleTemplate } from './sample-template.ts';

let emulators: Emulators;
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  emulators = await startEmulators();
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await emulators.close();
});

const { Orders } = sampleTemplate().Resources;
const streamed = (properties: object = {}): Changes => ({
  Orders: {
    Type: 'AWS::DynamoDB::Table',
    Properties: { ...Orders?.Properties, StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } },
  },
  Feed: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
      FunctionName: { Ref: 'Worker' },
      ...properties,
    },
  },
});

/** Starts the mappings of a template; gives the events that its functions get. */
async function start(changes: Changes, outcome: Invocation): Promise<[string, unknown][]> {
  const model = readSample(changes, { sqsEndpoint: emulators.endpoints.sqs });
  await createResources(model, emulators);
  const invocations: [string, unknown][] = [];
  const functions = {
    invoke: async (name: string, event: unknown) => {
      invocations.push([name, event]);
      return outcome;
    },
  };
  stop = await startMappings({ model, emulators, functions, onFault: () => {} });
  return invocations;
}

const write = () =>
  emulators.clients.dynamodb.send(
    new PutItemCommand({ TableName: 'Orders', Item: { id: { S: 'order-1' } } }),
  );

describe('the mappings of a template', () => {
  it('hand the writes to a table with a stream to the function', async () => {
    const invocations = await start(streamed(), { ok: true, payload: 'null' });
    await write();
    await expect.poll(() => invocations).toHaveLength(1);
    expect(invocations).toMatchObject([
      ['Worker', { Records: [{ eventName: 'INSERT', dynamodb: { Keys: { id: { S: 'order-1' } } } }] }],
    ]);
  });

  it('send what the function never takes to the queue for failures', async () => {
    const failures = {
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } } },
    };
    await start(streamed(failures), { ok: false, errorType: 'Error', errorMessage: 'never' });
    await write();
    const QueueUrl = `${emulators.endpoints.sqs}/000000000000/DeadLetters`;
    const { Messages } = await emulators.clients.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10 }),
    );
    expect(JSON.parse(Messages?.[0]?.Body ?? 'null')).toMatchObject({
      requestContext: {
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
        condition: 'RetryAttemptsExhausted',
      },
    });
  });

  it.each([
    [
      'a second mapping of one stream',
      { ...streamed(), Second: streamed()['Feed'] },
      'Second is the second mapping of its stream',
    ],
    [
      'a stream that no table has',
      streamed({ EventSourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Other/stream/1' }),
      'Feed reads from no stream of this template',
    ],
    [
      'a queue for failures that is not there',
      streamed({ DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:0:Nowhere' } } }),
      'Feed names a queue that is not in this template',
    ],
  ])('refuse %s', async (_, changes, message) => {
    await expect(start(changes as Changes, { ok: true, payload: 'null' })).rejects.toThrow(message);
  });
});
