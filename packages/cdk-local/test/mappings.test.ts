import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulators } from '../src/emulators/emulators.ts';
import { createResources } from '../src/emulators/resources.ts';
import { startMappings } from '../src/event-source-mapping/mappings.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import { success, thrown } from './harness.ts';
import { type Changes, readSample, streamed } from './sample-template.ts';

/** Starts the mappings of a template, and writes to its table. */
async function start(changes: Changes, outcome: Invocation) {
  const emulators = await startEmulators();
  onTestFinished(emulators.close);
  const model = readSample(changes, { sqsEndpoint: emulators.endpoints.sqs });
  await createResources(model, emulators);
  const invocations: [string, unknown][] = [];
  const invoke = async (name: string, event: unknown): Promise<Invocation> => {
    invocations.push([name, event]);
    return outcome;
  };
  onTestFinished(await startMappings({ model, emulators, functions: { invoke }, onFault: () => {} }));
  const Item = { id: { S: 'order-1' } };
  await emulators.clients.dynamodb.putItem({ TableName: 'Orders', Item });
  return { emulators, invocations };
}

describe('the mappings of a template', () => {
  it('pass on the writes to a table with a stream', async () => {
    const { invocations } = await start(streamed(), success);
    await expect.poll(() => invocations).toHaveLength(1);
    expect(invocations).toMatchObject([
      ['Worker', { Records: [{ eventName: 'INSERT', dynamodb: { Keys: { id: { S: 'order-1' } } } }] }],
    ]);
  });

  it('send what a function fails on to the queue for failures', async () => {
    const OnFailure = { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } };
    const failures = { MaximumRetryAttempts: 0, DestinationConfig: { OnFailure } };
    const { emulators } = await start(streamed(failures), thrown);
    const QueueUrl = `${emulators.endpoints.sqs}/000000000000/DeadLetters`;
    const { Messages } = await emulators.clients.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 10 });
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:Worker';
    expect(JSON.parse(Messages?.[0]?.Body ?? 'null')).toMatchObject({
      requestContext: { functionArn, condition: 'RetryAttemptsExhausted' },
    });
  });

  it('refuse a second mapping of one stream', async () => {
    const twice = { ...streamed(), Second: streamed().Feed };
    await expect(start(twice, success)).rejects.toThrow('Second is the second mapping of its stream');
  });
});
