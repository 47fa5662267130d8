import { beforeAll, describe, expect, it } from 'vitest';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

let stack: Synthesis;
let archiving: Synthesis;
beforeAll(() => {
  [stack, archiving] = synthesiseAll({}, { environmentName: 'archiving', feedArchiveDays: '400' });
});

const mapping = () => stack.at('OrderFeed/Mapping').Properties;
const ordersId = () => [...stack.resources.keys()].find((id) => stack.pathOf(id) === 'Tables/Orders');

describe('the stream of orders', () => {
  it('holds rows as they were and as they are, of orders alone', () => {
    expect(stack.at('Tables/Orders').Properties['StreamSpecification']).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
    expect(stack.at('Tables/Events').Properties).not.toHaveProperty('StreamSpecification');
  });

  it('is handed to the feed from its beginning, ten records at a time, without a filter', () => {
    expect(mapping()).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [ordersId(), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      ParallelizationFactor: 4,
    });
    expect(stack.pathOf(referenced(mapping()['FunctionName']))).toBe('OrderFeed/Function/Lambda');
    expect(mapping()).not.toHaveProperty('FilterCriteria');
    expect(mapping()).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });

  it('goes on from the record that failed, in ever smaller batches', () => {
    expect(mapping()).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
    });
  });

  it('gives up on a record after twelve hours, half of what it holds, and names it in the failure queue', () => {
    expect(mapping()).toMatchObject({ MaximumRecordAgeInSeconds: 43_200, MaximumRetryAttempts: 10_000 });
    const { OnFailure } = mapping()['DestinationConfig'] as { OnFailure: { Destination: unknown } };
    expect(stack.pathOf(referenced(OnFailure.Destination))).toBe('OrderFeed/Failures');
  });

  it('is polled only once the function may read it', () => {
    const functionId = referenced(mapping()['FunctionName']);
    const { DependsOn } = stack.resources.get(functionId) as unknown as { DependsOn: readonly string[] };
    const policies = DependsOn.filter((id) => stack.resources.get(id)?.Type === 'AWS::IAM::Policy');
    expect(policies.map((id) => stack.pathOf(id))).toEqual(['OrderFeed/Function/Role/DefaultPolicy']);
  });
});

describe('the bus', () => {
  it('has the name of the stack, and nobody outside the account may write to it', () => {
    expect(stack.only('AWS::Events::EventBus').Properties['Name']).toBe('payhooks-production');
    expect(stack.ofType('AWS::Events::EventBusPolicy')).toEqual([]);
  });

  it('takes from the feed what the feed is for', () => {
    const policy = stack.at('OrderFeed/Function/Role/DefaultPolicy').Properties;
    const { Statement } = policy['PolicyDocument'] as { Statement: Record<string, unknown>[] };
    const publishing = Statement.filter(({ Action }) => Action === 'events:PutEvents');
    expect(publishing.map(({ Condition }) => Condition)).toEqual([
      {
        StringEquals: {
          'events:source': ['payhooks', 'payhooks.sandbox'],
          'events:detail-type': 'OrderStatusChanged',
        },
      },
    ]);
  });

  it('is archived, live and sandbox, for as long as the environment says', () => {
    const archive = stack.only('AWS::Events::Archive').Properties;
    expect(stack.pathOf(referenced(archive['SourceArn']))).toBe('OrderFeed/Bus');
    expect(archive).toMatchObject({
      EventPattern: { source: ['payhooks', 'payhooks.sandbox'] },
      RetentionDays: 30,
    });
    expect(archiving.only('AWS::Events::Archive').Properties['RetentionDays']).toBe(400);
  });

  it('goes with the stack, and so does its archive, as the orders are what is kept', () => {
    for (const type of ['AWS::Events::EventBus', 'AWS::Events::Archive']) {
      expect(stack.only(type).DeletionPolicy ?? 'Delete').toBe('Delete');
    }
  });
});

describe('the failure queue', () => {
  it('is encrypted, keeps what it holds for fourteen days, and is refused without TLS', () => {
    expect(stack.at('OrderFeed/Failures').Properties).toEqual({
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
    });
    const policy = stack.at('OrderFeed/Failures/Policy').Properties;
    expect(policy['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ],
    });
  });
});
