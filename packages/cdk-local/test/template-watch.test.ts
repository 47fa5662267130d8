import { describe, expect, it } from 'vitest';
import { readSample as read } from './sample-template.ts';

const worker = { 'Fn::GetAtt': ['Worker', 'Arn'] };
const role = { 'Fn::GetAtt': ['Role', 'Arn'] };
const schedule = (properties: object = {}) => ({
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

describe('a schedule of the template', () => {
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

  it('is left out when it is switched off', () => {
    expect(read(schedule({ State: 'DISABLED' })).schedules).toEqual([]);
  });

  it.each([
    [{ ScheduleExpression: 'cron(0 * * * ? *)' }, 'Audit.ScheduleExpression is "cron(0 * * * ? *)"'],
    [{ ScheduleExpression: 'rate(0 minutes)' }, 'Audit.ScheduleExpression is "rate(0 minutes)"'],
    [{ Target: { Arn: 'arn:of:another' } }, 'Audit.Target.Arn is "arn:of:another", which is no function'],
    [{ Target: { Arn: worker, Input: '{' } }, 'Audit.Target.Input is "{"; expected JSON'],
    [{ EndDate: '2027-01-01' }, 'Audit.EndDate (AWS::Scheduler::Schedule) is a property'],
  ])('is an error with %j', (properties, message) => {
    expect(() => read(schedule(properties))).toThrow(message);
  });
});

describe('a rotation of the template', () => {
  const Type = 'AWS::SecretsManager::RotationSchedule';

  it('has its secret and its function', () => {
    const Properties = { SecretId: { Ref: 'Keys' }, RotationLambdaARN: worker, RotationRules: {} };
    expect(read({ Rotation: { Type, Properties } }).rotations).toEqual([
      { secretArn: expect.stringMatching(/^arn:aws:secretsmanager:.*:secret:Keys-/), functionName: 'Worker' },
    ]);
  });

  it('is an error when CloudFormation would make the function itself', () => {
    const Properties = { SecretId: { Ref: 'Keys' }, HostedRotationLambda: {} };
    expect(() => read({ Rotation: { Type, Properties } })).toThrow('Rotation.HostedRotationLambda');
  });
});

const alarm = (properties: object) => ({
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
});
const single = {
  Namespace: 'shop',
  MetricName: 'Lost',
  Dimensions: [{ Name: 'service', Value: 'worker' }],
  Period: 300,
  Statistic: 'Sum',
};
const sum = (Expression: string, change: object = {}) => ({
  Metrics: [
    { Id: 'expr_1', Expression },
    ...['one', 'two'].map((Id) => ({
      Id,
      MetricStat: {
        Metric: { Namespace: 'shop', MetricName: Id },
        Period: 60,
        Stat: 'Sum',
        ...change,
      },
      ReturnData: false,
    })),
  ],
});

describe('an alarm of the template', () => {
  it('has its metric, its bounds and its sentence', () => {
    expect(read(alarm({ ...single, TreatMissingData: 'notBreaching' })).alarms).toEqual([
      {
        name: 'Lost',
        description: 'Something is lost.',
        metrics: ['["shop","Lost",[["service","worker"]]]'],
        fillsWithZero: false,
        periodSeconds: 300,
        periods: 3,
        breachingPeriods: 3,
        comparison: 'GreaterThanOrEqualToThreshold',
        threshold: 2,
        missing: 'notBreaching',
      },
    ]);
  });

  it.each([
    ['FILL(one, 0) + FILL(two, 0)', true],
    ['one+two', false],
    ['FILL(one,0) + two', false],
  ])('adds up metrics: %s', (expression, fillsWithZero) => {
    expect(read(alarm(sum(expression))).alarms).toMatchObject([
      {
        metrics: ['["shop","one",[]]', '["shop","two",[]]'],
        fillsWithZero,
        periodSeconds: 60,
        missing: 'missing',
      },
    ]);
  });

  it('is left out where AWS does the counting', () => {
    expect(read(alarm({ ...single, Namespace: 'AWS/SQS', Statistic: 'Maximum' })).alarms).toEqual([]);
  });

  it.each([
    [{ ...single, Statistic: 'Average' }, 'Alarm.Statistic is "Average"'],
    [{ ...single, ComparisonOperator: 'GreaterThanUpperThreshold' }, 'Alarm.ComparisonOperator is'],
    [{ ...single, ExtendedStatistic: 'p99' }, 'Alarm.ExtendedStatistic (AWS::CloudWatch::Alarm)'],
    [sum('one / two'), 'Alarm.Metrics computes "one / two"; cdk-local emulates sums'],
    [sum('one + three'), 'Alarm.Metrics computes "one + three"'],
    [sum('one + two', { Stat: 'Maximum' }), 'Alarm.Metrics computes "one + two"'],
  ])('is an error with %j', (properties, message) => {
    expect(() => read(alarm(properties))).toThrow(message);
  });
});

describe('the outputs of the template', () => {
  it('are resolved, without those that this machine has nothing for', () => {
    const outputs = {
      Url: { Value: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, '/hooks']] } },
      Table: { Value: { Ref: 'Orders' }, Description: 'orders' },
      Stage: { Value: { Ref: 'Stage' } },
    };
    expect(read({}, { Outputs: outputs }).outputs).toEqual({
      Url: 'http://127.0.0.1:2222/hooks',
      Table: 'Orders',
    });
  });
});
