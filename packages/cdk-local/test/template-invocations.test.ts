import { describe, expect, it } from 'vitest';
import { type Changes, readSample as read, streamed } from './sample-template.ts';

const worker = { 'Fn::GetAtt': ['Worker', 'Arn'] };

describe('the mapping of a queue in a template', () => {
  const defaults = {
    name: 'Mapping',
    enabled: true,
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:Events',
    functionName: 'Worker',
    batchRecordsMax: 10,
    windowSeconds: 0,
    reportsItemFailures: false,
  };

  it('has its batch, window, partial responses and concurrency', () => {
    const batch = { batchRecordsMax: 5, windowSeconds: 2, reportsItemFailures: true, concurrencyMax: 4 };
    expect(read().mappings).toEqual([{ ...defaults, ...batch }]);
  });

  it('has the defaults of CloudFormation', () => {
    const Properties = { EventSourceArn: defaults.queueArn, FunctionName: worker };
    const mapping = { Type: 'AWS::Lambda::EventSourceMapping', Properties };
    expect(read({ Mapping: mapping }).mappings).toEqual([defaults]);
  });
});

describe('the mapping of a stream in a template', () => {
  const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000';
  const stream = (properties: object, viewType?: string) => read(streamed(properties, viewType));
  const defaults = {
    name: 'Feed',
    enabled: true,
    streamArn,
    functionName: 'Worker',
    batchRecordsMax: 100,
    windowSeconds: 0,
    reportsItemFailures: false,
    parallelBatches: 1,
    bisectsBatches: false,
    retriesMax: Number.POSITIVE_INFINITY,
    recordAgeSecondsMax: Number.POSITIVE_INFINITY,
  };
  const onFailure = (Destination: unknown) => ({ DestinationConfig: { OnFailure: { Destination } } });

  it('reads the stream of a table, which exists only with a specification', () => {
    const viewType = 'NEW_AND_OLD_IMAGES';
    expect(stream({}, viewType).tables[0]?.stream).toEqual({ arn: streamArn, viewType });
    expect(read().tables[0]).not.toHaveProperty('stream');
  });

  it('has everything that limits its retries', () => {
    const { streamMappings, mappings } = stream({
      BatchSize: 7,
      BisectBatchOnFunctionError: true,
      ...onFailure({ 'Fn::GetAtt': ['DeadLetters', 'Arn'] }),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: 3,
      MaximumRecordAgeInSeconds: 43_200,
      MaximumRetryAttempts: 9,
      ParallelizationFactor: 4,
    });
    expect(streamMappings).toEqual([
      {
        ...{
          name: 'Feed',
          enabled: true,
          streamArn,
          functionName: 'Worker',
          batchRecordsMax: 7,
          windowSeconds: 3,
        },
        ...{ reportsItemFailures: true, parallelBatches: 4, bisectsBatches: true, retriesMax: 9 },
        recordAgeSecondsMax: 43_200,
        failureQueueArn: 'arn:aws:sqs:us-east-1:000000000000:DeadLetters',
      },
    ]);
    expect(mappings.map(({ name }) => name)).toEqual(['Mapping']);
  });

  it('has the defaults of CloudFormation', () => {
    expect(stream({ MaximumRetryAttempts: -1 }).streamMappings).toEqual([defaults]);
  });

  it('can be switched off', () => {
    expect(stream({ Enabled: false }).streamMappings).toMatchObject([{ name: 'Feed', enabled: false }]);
  });

  it('is refused with an unknown view type, a destination that is no queue, or a tumbling window', () => {
    expect(() => stream({}, 'EVERYTHING')).toThrow(
      'Orders.StreamSpecification.StreamViewType is "EVERYTHING"',
    );
    const topic = 'arn:aws:sns:us-east-1:000000000000:topic';
    expect(() => stream(onFailure(topic))).toThrow(
      `Feed.DestinationConfig.OnFailure.Destination is "${topic}"; expected the ARN of a queue.`,
    );
    expect(() => stream({ TumblingWindowInSeconds: 5 })).toThrow('Feed.TumblingWindowInSeconds');
  });
});

describe('a schedule in a template', () => {
  const role = { 'Fn::GetAtt': ['Role', 'Arn'] };
  const schedule = (properties: object = {}): Changes => ({
    Audit: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        ScheduleExpression: 'rate(15 minutes)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: worker, RoleArn: role },
        ...properties,
      },
    },
  });

  it.each([
    ['rate(15 minutes)', 900_000],
    ['rate(1 minute)', 60_000],
    ['rate(24 hours)', 86_400_000],
  ])('has the interval of %s', (ScheduleExpression, intervalMilliseconds) => {
    expect(read(schedule({ ScheduleExpression })).schedules).toEqual([
      { name: 'Audit', functionName: 'Worker', intervalMilliseconds },
    ]);
  });

  it('has the input of its target', () => {
    const Target = { Arn: worker, RoleArn: role, Input: '{"a":[1]}' };
    expect(read(schedule({ Target })).schedules[0]?.input).toEqual({ a: [1] });
  });

  it('is left out when its target is an API of AWS', () => {
    const Target = { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:setQueueAttributes', RoleArn: role, Input: '{}' };
    expect(read(schedule({ Target })).schedules).toEqual([]);
  });

  it('has a definition in the form of the API, also when its target is an API of AWS', () => {
    const Target = { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:setQueueAttributes', RoleArn: role, Input: '{}' };
    expect(read(schedule({ Target, State: 'DISABLED' })).scheduleDefinitions).toEqual([
      {
        name: 'Audit',
        definition: {
          FlexibleTimeWindow: { Mode: 'OFF' },
          ScheduleExpression: 'rate(15 minutes)',
          ScheduleExpressionTimezone: 'UTC',
          State: 'DISABLED',
          Target: { ...Target, RoleArn: 'arn:aws:iam::000000000000:role/Role' },
        },
      },
    ]);
  });

  it.each([
    [{ ScheduleExpression: 'cron(0 * * * ? *)' }, 'Audit.ScheduleExpression is "cron(0 * * * ? *)"'],
    [{ ScheduleExpression: 'rate(0 minutes)' }, 'Audit.ScheduleExpression is "rate(0 minutes)"'],
    [{ Target: { Arn: 'arn:of:another' } }, 'Audit.Target.Arn is "arn:of:another", which is no function'],
    [{ Target: { Arn: worker, Input: '{' } }, 'Audit.Target.Input is "{"; expected JSON'],
    [{ EndDate: '2027-01-01' }, 'Audit.EndDate (AWS::Scheduler::Schedule) is a property'],
  ])('is refused with %j', (properties, message) => {
    expect(() => read(schedule(properties))).toThrow(message);
  });
});

describe('a rotation in a template', () => {
  const rotation = (properties: object) =>
    read({
      Rotation: {
        Type: 'AWS::SecretsManager::RotationSchedule',
        Properties: { SecretId: { Ref: 'Keys' }, ...properties },
      },
    }).rotations;

  it('has its secret and its function', () => {
    const secretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Keys-f0d66a';
    const rotations = rotation({ RotationLambdaARN: worker, RotationRules: {} });
    expect(rotations).toEqual([{ secretArn, functionName: 'Worker' }]);
  });

  it('is refused when CloudFormation would create the function', () => {
    expect(() => rotation({ HostedRotationLambda: {} })).toThrow('Rotation.HostedRotationLambda');
  });
});

describe('an alarm in a template', () => {
  const alarms = (properties: object) =>
    read({
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          AlarmName: 'sample-stack-Lost',
          AlarmDescription: 'Something is lost.',
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          EvaluationPeriods: 3,
          Threshold: 2,
          ...properties,
        },
      },
    }).alarms;
  const single = {
    Namespace: 'shop',
    MetricName: 'Lost',
    Dimensions: [{ Name: 'service', Value: 'worker' }],
    Period: 300,
    Statistic: 'Sum',
  };
  const sum = (Expression: string, Stat = 'Sum', Namespace = 'shop') => ({
    Metrics: [
      { Id: 'expr_1', Expression },
      ...['one', 'two'].map((Id) => ({
        Id,
        MetricStat: { Metric: { Namespace, MetricName: Id }, Period: 60, Stat },
        ReturnData: false,
      })),
    ],
  });

  it('has its metric, its limits and its description', () => {
    expect(alarms({ ...single, TreatMissingData: 'notBreaching' })).toEqual([
      {
        name: 'Lost',
        description: 'Something is lost.',
        metrics: { only: { key: '["shop","Lost",[["service","worker"]]]', statistic: 'Sum' } },
        value: expect.any(Function),
        periodSeconds: 300,
        periods: 3,
        breachingPeriods: 3,
        comparison: 'GreaterThanOrEqualToThreshold',
        threshold: 2,
        missing: 'notBreaching',
      },
    ]);
  });

  it('has every metric of its expression', () => {
    const metrics = {
      one: { key: '["shop","one",[]]', statistic: 'Maximum' },
      two: { key: '["shop","two",[]]', statistic: 'Maximum' },
    };
    const expected = { metrics, periodSeconds: 60, missing: 'missing' };
    expect(alarms(sum('one+two', 'Maximum'))).toMatchObject([expected]);
  });

  it.each<[expression: string, both: number | undefined, onlyOne: number | undefined]>([
    ['FILL(one, 0) + FILL(two, 0)', 7, 5],
    ['one+two', 7, undefined],
    ['FILL(one,0) + two', 7, undefined],
    ['10 - one - two', 3, undefined],
    ['10 - (one - FILL(two, 9))', 7, 14],
    ['MAX([one, two])', 5, 5],
    ['MAX([two, FILL(one, 0) - 4.5])', 2, 0.5],
    ['FILL(two, 1) + MAX([one])', 7, 6],
  ])('computes %s with and without the second metric', (expression, both, onlyOne) => {
    const values: Record<string, number> = { one: 5, two: 2 };
    const value = alarms(sum(expression))[0]?.value;
    expect(value?.((id) => values[id])).toBe(both);
    expect(value?.((id) => (id === 'one' ? 5 : undefined))).toBe(onlyOne);
  });

  it('is left out when it watches metrics of AWS that are not counted here', () => {
    expect(alarms({ ...single, Namespace: 'AWS/SQS', Statistic: 'Maximum' })).toEqual([]);
    expect(alarms(sum('one / two', 'Average', 'AWS/Lambda'))).toEqual([]);
    const depth = { ...single, Namespace: 'AWS/SQS', MetricName: 'ApproximateNumberOfMessagesVisible' };
    expect(alarms(depth)).toMatchObject([{ name: 'Lost' }]);
  });

  it.each([
    [{ ...single, Statistic: 'Average' }, 'Alarm.Statistic is "Average"'],
    [{ ...single, ComparisonOperator: 'GreaterThanUpperThreshold' }, 'Alarm.ComparisonOperator is'],
    [{ ...single, ExtendedStatistic: 'p99' }, 'Alarm.ExtendedStatistic (AWS::CloudWatch::Alarm)'],
    [sum('one / two'), 'Alarm.Metrics computes "one / two"; cdk-local emulates one expression'],
    [sum('one +'), 'Alarm.Metrics computes "one +"'],
    [sum('FILL(one)'), 'Alarm.Metrics computes "FILL(one)"'],
    [sum('MAX([one, two)'), 'Alarm.Metrics computes "MAX([one, two)"'],
    [sum('(one'), 'Alarm.Metrics computes "(one"'],
    [sum('one + three'), 'Alarm.Metrics computes "one + three"'],
    [sum('one + two', 'Average'), 'Stat is "Average"'],
  ])('is refused with %j', (properties, message) => {
    expect(() => alarms(properties)).toThrow(message);
  });
});
