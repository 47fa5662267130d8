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

  it('is read by the order feed from its start, ten records at a time, without a filter', () => {
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [stack.idAt('Tables/Orders'), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      ParallelizationFactor: 4,
    });
    expect(stack.pathOf(mapping['FunctionName'])).toBe('OrderFeed/Function/Lambda');
    expect(mapping).not.toHaveProperty('FilterCriteria');
  });

  it('is retried from the record that failed, in smaller batches', () => {
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
    });
  });

  it('sends the position of a record to the failure queue after twelve hours, however many retries they hold', () => {
    const { DestinationConfig } = mapping as { DestinationConfig?: { OnFailure: { Destination: unknown } } };
    expect(mapping).toMatchObject({ MaximumRecordAgeInSeconds: 43_200 });
    expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
    expect(stack.pathOf(DestinationConfig?.OnFailure.Destination)).toBe('OrderFeed/Failures');
  });

  it('is polled only after the function may read it', () => {
    const { DependsOn = [] } = stack.at('OrderFeed/Function/Lambda');
    expect(DependsOn.map((id) => stack.pathOf(id))).toContain('OrderFeed/Function/Role/DefaultPolicy');
  });
});

describe('the bus of the order feed', () => {
  it('is named like the stack, and no policy lets another account write to it', () => {
    expect(stack.only('AWS::Events::EventBus').Properties['Name']).toBe('payhooks-production');
    const statements = stack
      .propertiesOf('AWS::Events::EventBusPolicy')
      .map(({ Statement }) => Statement as { readonly Effect: string });
    expect(statements.map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny']);
  });

  it.each([
    [30, {}],
    [400, { feedArchiveDays: '400' }],
  ])('archives live and sandbox events for %i days with %j', (days, settings) => {
    const { Properties: archive } = synthesise(settings).only('AWS::Events::Archive');
    expect(stack.pathOf(archive['SourceArn'])).toBe('OrderFeed/Bus');
    expect(archive).toMatchObject({
      EventPattern: { source: ['payhooks', 'payhooks.sandbox'] },
      RetentionDays: days,
    });
  });

  it('is deleted with the stack, and so is its archive', () => {
    for (const type of ['AWS::Events::EventBus', 'AWS::Events::Archive']) {
      expect(stack.only(type).DeletionPolicy ?? 'Delete').toBe('Delete');
    }
  });
});

describe('the failure queue of the order feed', () => {
  it('is encrypted and keeps messages for 14 days', () => {
    const { Tags: _, ...failures } = stack.at('OrderFeed/Failures').Properties;
    expect(failures).toEqual({
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
    });
  });
});
