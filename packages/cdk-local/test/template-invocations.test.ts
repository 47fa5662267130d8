import { describe, expect, it } from 'vitest';
import { awaitedFunctions } from '../src/template/template.ts';
import { type Changes, readSample as read, streamed } from './sample-template.ts';

const worker = { 'Fn::GetAtt': ['Worker', 'Arn'] };

describe('the mapping of a stream in a template', () => {
  const stream = (properties: object, viewType?: string) => read(streamed(properties, viewType));
  const onFailure = (Destination: unknown) => ({ DestinationConfig: { OnFailure: { Destination } } });

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
  ])('has the interval of %s', (ScheduleExpression, intervalMilliseconds) => {
    expect(read(schedule({ ScheduleExpression })).schedules).toEqual([
      { name: 'Audit', functionName: 'Worker', intervalMilliseconds },
    ]);
  });

  it('is nothing for which its function has to be loaded at the start, as it is for a route', () => {
    const model = read(schedule());
    expect([...awaitedFunctions({ ...model, mappings: [] })]).toEqual(['Worker']);
    expect([...awaitedFunctions({ ...model, mappings: [], routes: [] })]).toEqual([]);
  });

  it('is left out when its target is an API of AWS', () => {
    const Target = { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:setQueueAttributes', RoleArn: role, Input: '{}' };
    expect(read(schedule({ Target })).schedules).toEqual([]);
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
  it('is refused when CloudFormation would create the function', () => {
    const Properties = { SecretId: { Ref: 'Keys' }, HostedRotationLambda: {} };
    const Rotation = { Type: 'AWS::SecretsManager::RotationSchedule', Properties };
    expect(() => read({ Rotation })).toThrow('Rotation.HostedRotationLambda');
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

  it.each<[expression: string, both: number | undefined, onlyOne: number | undefined]>([
    ['FILL(one, 0) + FILL(two, 0)', 7, 5],
    ['one+two', 7, undefined],
    ['FILL(one,0) + two', 7, undefined],
    ['MAX([one, two])', 5, 5],
    ['MIN([one, FILL(two, 0)])', 2, 0],
    ['MAX([two, FILL(one, 0) + FILL(two, 0.5)])', 7, 5.5],
    ['FILL(two, 1) + MAX([one])', 7, 6],
    ['one - 2 * two - 0.5', 0.5, undefined],
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
    [sum('one - '), 'Alarm.Metrics computes "one - "'],
    [sum('one + three'), 'Alarm.Metrics computes "one + three"'],
    [sum('one + two', 'Average'), 'Stat is "Average"'],
  ])('is refused with %j', (properties, message) => {
    expect(() => alarms(properties)).toThrow(message);
  });
});
