import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAlarms } from '../src/alarms/alarms.ts';
import { addQueueMetrics, addResponse, countInvocations } from '../src/alarms/aws-metrics.ts';
import { startSqs } from '../src/emulators/sqs.ts';
import { connect, success, thrown } from './harness.ts';

/** The sum of a metric within the minute of the clock. */
function watch(namespace: string, name: string, dimensions: Record<string, string>) {
  const { addMetrics, minutes, stop } = startAlarms({ models: [], clock: () => 90_000, onChange: () => {} });
  onTestFinished(stop);
  const span = { begin: 60_000, end: 120_000 };
  return { add: addMetrics, sum: () => minutes({ namespace, name, dimensions }, 'Sum', span)[0] };
}

describe('the metrics of AWS', () => {
  it.each([
    ['Invocations', 3],
    ['Errors', 1],
  ])('count the %s of a function', async (name, expected) => {
    const { add, sum } = watch('AWS/Lambda', name, { FunctionName: 'Worker' });
    const outcomes = [success, thrown, success];
    const invoke = countInvocations(async () => outcomes.pop() ?? success, add);
    for (const functionName of ['Worker', 'Worker', 'Worker', 'Other']) await invoke(functionName, {});
    expect(sum()).toBe(expected);
  });

  it.each([
    ['Count', 4],
    ['4xx', 2],
    ['5xx', 1],
    ['Latency', 40],
  ])('count as %s the responses of an API', (name, expected) => {
    const { add, sum } = watch('AWS/ApiGateway', name, { ApiId: 'Api' });
    for (const status of [200, 404, 403, 503]) addResponse(add, 'Api', { status, milliseconds: 10 });
    addResponse(add, 'Other', { status: 500, milliseconds: 10 });
    expect(sum()).toBe(expected);
  });

  it('show depth, age and sent messages of a queue, also while a message is in flight', async () => {
    let ahead = 0;
    const emulator = await startSqs(undefined, () => Date.now() + ahead);
    const { client } = connect(emulator, SQS);
    const { QueueUrl } = await client.createQueue({ QueueName: 'Events' });
    await client.sendMessage({ QueueUrl, MessageBody: 'one' });
    await client.sendMessageBatch({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'two' }] });
    await client.receiveMessage({ QueueUrl });
    ahead = 3_600_000;
    const metrics = emulator.metrics();
    expect(metrics.get('Events')).toMatchObject({
      ApproximateNumberOfMessagesVisible: 1,
      NumberOfMessagesSent: 2,
      NumberOfMessagesDeleted: 0,
    });
    expect(Math.round((metrics.get('Events')?.['ApproximateAgeOfOldestMessage'] ?? 0) / 60)).toBe(60);
    expect(emulator.metrics().get('Events')).toMatchObject({ NumberOfMessagesSent: 0 });
    const { add, sum } = watch('AWS/SQS', 'NumberOfMessagesSent', { QueueName: 'Events' });
    addQueueMetrics(add, metrics);
    expect(sum()).toBe(2);
  });
});
