import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const stack = synthesise();
const { Properties: queue } = stack.at('EventQueue/Queue');
const { Properties: deadLetterQueue } = stack.at('EventQueue/DeadLetters');
const { Properties: mapping } = stack.at('Consumer/Mapping');

describe('the event queue', () => {
  it('moves a message to the dead-letter queue after 90 receives, six timeouts and a window apart', () => {
    expect(stack.at('Consumer/Function/Lambda').Properties['Timeout']).toBe(52);
    expect(queue).toMatchObject({
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [stack.idAt('EventQueue/DeadLetters'), 'Arn'] },
        maxReceiveCount: 90,
      },
      // And the window of a batch.
      VisibilityTimeout: 6 * 52 + 10,
    });
  });

  it('keeps messages encrypted, as does the dead-letter queue', () => {
    for (const properties of [queue, deadLetterQueue])
      expect(properties).toMatchObject({ SqsManagedSseEnabled: true });
  });

  it('is a standard queue, and the dead-letter queue of none, so that nothing moves there past its policy', () => {
    expect(queue['RedriveAllowPolicy']).toEqual({ redrivePermission: 'denyAll' });
    expect(queue).not.toHaveProperty('FifoQueue');
  });
});

describe('the dead-letter queue', () => {
  const { Properties: schedule, DependsOn = [] } = stack.at('EventQueue/DeadLetterSource/Schedule');
  const target = schedule['Target'] as Readonly<Record<'Arn' | 'Input' | 'RoleArn', unknown>>;

  it('takes messages from the event queue alone: a call of SQS, at once and every hour, sees to it', () => {
    expect(schedule['ScheduleExpression']).toBe('rate(60 minutes)');
    expect(JSON.stringify(target.Arn)).toContain(':scheduler:::aws-sdk:sqs:setQueueAttributes');
    // The value of a reference is the path of its resource here.
    const { 'Fn::Join': join } = target.Input as { 'Fn::Join': [string, unknown[]] };
    const parts = join[1].map((part) => (typeof part === 'string' ? part : stack.pathOf(part)));
    const { QueueUrl, Attributes } = JSON.parse(parts.join(''));
    expect(QueueUrl).toBe('EventQueue/DeadLetters');
    expect(Object.keys(Attributes)).toEqual(['RedriveAllowPolicy']);
    expect(JSON.parse(Attributes.RedriveAllowPolicy)).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: ['EventQueue/Queue'],
    });
  });

  it('is called after the role of the schedule may do it, because the schedule starts at once', () => {
    const role = 'EventQueue/DeadLetterSource/ScheduleRole';
    expect(stack.pathOf(target.RoleArn)).toBe(role);
    expect(DependsOn.map((id) => stack.pathOf(id))).toContain(`${role}/DefaultPolicy`);
  });
});

describe('the event source mapping of the consumer', () => {
  it('hands up to ten messages at once to at most 50 consumers, and reports partial failures', () => {
    expect(stack.pathOf(mapping['EventSourceArn'])).toBe('EventQueue/Queue');
    expect(stack.pathOf(mapping['FunctionName'])).toBe('Consumer/Function/Lambda');
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      ScalingConfig: { MaximumConcurrency: 50 },
    });
    // A filter would delete the messages that it leaves out.
    expect(mapping).not.toHaveProperty('FilterCriteria');
  });
});
