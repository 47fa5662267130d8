import { describe, expect, it } from 'vitest';
import { unbilled } from '../../local/pipeline/environment.ts';
import { synthesise } from './synthesis.ts';

const daySeconds = 86_400;
const stack = synthesise();
const { Properties: queue } = stack.at('EventQueue/Queue');
const { Properties: deadLetterQueue } = stack.at('EventQueue/DeadLetters');
const { Properties: mapping } = stack.at('Consumer/Mapping');

describe('the event queue', () => {
  it('moves a message to the dead-letter queue after 90 receives, which takes four hours', () => {
    expect(queue).toMatchObject({
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [stack.idAt('EventQueue/DeadLetters'), 'Arn'] },
        maxReceiveCount: 90,
      },
    });
  });

  it('hides a received message for six times the timeout of the consumer and the longest window', () => {
    expect(stack.at('Consumer/Function/Lambda').Properties['Timeout']).toBe(52);
    expect(queue['VisibilityTimeout']).toBe(6 * 52 + 10);
  });

  it('keeps messages for 14 days, as does the dead-letter queue', () => {
    const retained = [queue, deadLetterQueue].map((one) => one['MessageRetentionPeriod']);
    expect(retained).toEqual([14 * daySeconds, 14 * daySeconds]);
  });

  it('is the dead-letter queue of no queue, so that nothing moves there past its policy', () => {
    expect(queue['RedriveAllowPolicy']).toEqual({ redrivePermission: 'denyAll' });
  });

  it('is encrypted, as is the dead-letter queue', () => {
    expect([queue, deadLetterQueue].map((one) => one['SqsManagedSseEnabled'])).toEqual([true, true]);
  });

  it('is a standard queue, so that one order cannot block another', () => {
    for (const properties of stack.propertiesOf('AWS::SQS::Queue')) {
      expect(properties).not.toHaveProperty('FifoQueue');
    }
  });
});

describe('the dead-letter queue', () => {
  const { Properties: schedule, DependsOn = [] } = stack.at('EventQueue/DeadLetterSource/Schedule');
  const target = schedule['Target'] as Readonly<Record<'Arn' | 'Input' | 'RoleArn', unknown>>;

  it('takes messages from the event queue alone: a call of SQS, at once and every hour, sees to it', () => {
    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(60 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: {
          'Fn::Join': [
            '',
            ['arn:', { Ref: 'AWS::Partition' }, ':scheduler:::aws-sdk:sqs:setQueueAttributes'],
          ],
        },
      },
    });
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
    expect(stack.pathOf(target.RoleArn)).toBe('EventQueue/DeadLetterSource/ScheduleRole');
    expect(DependsOn.map((id) => stack.pathOf(id)).sort()).toEqual([
      'EventQueue/DeadLetterSource/ScheduleRole',
      'EventQueue/DeadLetterSource/ScheduleRole/DefaultPolicy',
    ]);
  });
});

describe('the event source mapping of the consumer', () => {
  it('connects the event queue to the consumer', () => {
    expect(stack.pathOf(mapping['EventSourceArn'])).toBe('EventQueue/Queue');
    expect(stack.pathOf(mapping['FunctionName'])).toBe('Consumer/Function/Lambda');
  });

  it('reports partial batch failures, in batches of ten without a filter', () => {
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'], BatchSize: 10 });
    expect(mapping).not.toHaveProperty('FilterCriteria');
  });

  it.each([
    ['a second by default', {}, [1, 1]],
    ['as long as the settings say', { recordWithinSeconds: 5, feedWithinSeconds: '10' }, [5, 10]],
    ['not at all in local mode, which logs every step', unbilled, [0, 0]],
  ])('and that of the order feed gather batches for %s', (_, settings, windows) => {
    const { at, variablesOf } = synthesise(settings);
    const windowOf = (stage: string) => at(`${stage}/Mapping`).Properties['MaximumBatchingWindowInSeconds'];
    expect(['Consumer', 'OrderFeed'].map(windowOf)).toEqual(windows);
    expect(variablesOf('Consumer')['LOG_LEVEL']).toBe(settings === unbilled ? 'info' : 'warn');
  });

  it('limits concurrency itself; no function has reserved concurrency', () => {
    expect(mapping['ScalingConfig']).toEqual({ MaximumConcurrency: 50 });
    for (const properties of stack.propertiesOf('AWS::Lambda::Function')) {
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });
});
