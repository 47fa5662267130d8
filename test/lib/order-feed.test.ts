import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const stack = synthesise();
const { Properties: mapping } = stack.at('OrderFeed/Mapping');

describe('the stream of the orders table', () => {
  it('holds old and new images; the events table has no stream', () => {
    expect(stack.at('Tables/Orders').Properties['StreamSpecification']).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
    expect(stack.at('Tables/Events').Properties).not.toHaveProperty('StreamSpecification');
  });

  it('is read by the order feed from its start, up to ten records at once, without a filter', () => {
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [stack.idAt('Tables/Orders'), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 4,
    });
    expect(stack.pathOf(mapping['FunctionName'])).toBe('OrderFeed/Function/Lambda');
    expect(mapping).not.toHaveProperty('FilterCriteria');
  });

  it('is retried from the record that failed, in smaller batches, and for twelve hours', () => {
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 43_200,
    });
    expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
    const { DestinationConfig } = mapping as { DestinationConfig?: { OnFailure: { Destination: unknown } } };
    expect(stack.pathOf(DestinationConfig?.OnFailure.Destination)).toBe('OrderFeed/Failures');
    // With the key of the bus, the failure queue could not take what that key fails to encrypt.
    expect(stack.at('OrderFeed/Failures').Properties).toMatchObject({ SqsManagedSseEnabled: true });
  });

  it('is polled only after the function may read it', () => {
    const { DependsOn = [] } = stack.at('OrderFeed/Function/Lambda');
    expect(DependsOn.map((id) => stack.pathOf(id))).toContain('OrderFeed/Function/Role/DefaultPolicy');
  });
});

it('the bus of the order feed is named like the stack, and archives live and sandbox events for 30 days', () => {
  expect(stack.only('AWS::Events::EventBus').Properties['Name']).toBe('payhooks-production');
  const { Properties: archive } = stack.only('AWS::Events::Archive');
  expect(stack.pathOf(archive['SourceArn'])).toBe('OrderFeed/Bus');
  expect(archive).toMatchObject({
    EventPattern: { source: ['payhooks', 'payhooks.sandbox'] },
    RetentionDays: 30,
  });
});
