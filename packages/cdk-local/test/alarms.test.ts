import { describe, expect, it, onTestFinished } from 'vitest';
import { type AlarmView, startAlarms } from '../src/alarms/alarms.ts';
import { metricKey } from '../src/alarms/metrics.ts';
import type { AlarmModel } from '../src/template/alarms.ts';

const minute = 60_000;
const key = (name: string) => metricKey('shop', name, { service: 'verifier' });

/** In alarm when something was counted in the last five minutes. */
const model: AlarmModel = {
  name: 'Unavailable',
  description: 'SQS did not confirm.',
  metrics: { only: { key: key('Unavailable'), statistic: 'Sum' } },
  value: (read) => read('only'),
  periodSeconds: 300,
  periods: 1,
  breachingPeriods: 1,
  comparison: 'GreaterThanOrEqualToThreshold',
  threshold: 1,
  missing: 'notBreaching',
};

function start(changes: Partial<AlarmModel> = {}) {
  let now = Date.parse('2026-11-21T12:00:30.000Z');
  const changed: AlarmView[] = [];
  const { onLine, list, minutes, stop } = startAlarms({
    models: [{ ...model, ...changes }],
    clock: () => now,
    onChange: (alarm) => changed.push(alarm),
  });
  onTestFinished(stop);
  return {
    ...{ changed, list, minutes, state: () => list()[0]?.state },
    pass(minutes: number) {
      now += minutes * minute;
    },
    count(values: unknown = 1, name = 'Unavailable', service = 'verifier') {
      const metrics = [{ Namespace: 'shop', Dimensions: [['service']], Metrics: [{ Name: name }] }];
      onLine(JSON.stringify({ _aws: { CloudWatchMetrics: metrics }, service, [name]: values }));
    },
  };
}

describe('an alarm', () => {
  it('starts as OK, fires at its threshold, and ends after its period', () => {
    const { changed, pass, count, state, list } = start();
    const { name, description } = model;
    expect(list()).toEqual([{ name, state: 'OK', description, since: '2026-11-21T12:00:30.000Z' }]);
    count();
    pass(4);
    expect(state()).toBe('ALARM');
    pass(1);
    expect(state()).toBe('OK');
    expect(changed.map(({ state, since }) => [state, since])).toEqual([
      ['ALARM', '2026-11-21T12:00:30.000Z'],
      ['OK', '2026-11-21T12:05:30.000Z'],
    ]);
  });

  it.each([
    ['another metric', 1, 'Other', 'verifier'],
    ['another dimension', 1, 'Unavailable', 'consumer'],
  ])('does not fire for %s', (_, values, name, service) => {
    const { count, state } = start();
    count(values, name, service);
    expect(state()).toBe('OK');
  });

  it('fires after some of its periods where those are enough', () => {
    const { pass, count, state } = start({ periods: 3, breachingPeriods: 2 });
    count();
    pass(10);
    expect(state()).toBe('OK');
    count();
    expect(state()).toBe('ALARM');
  });

  it('fires after a period without a count where missing data breaches', () => {
    const { pass, count, state } = start({ comparison: 'LessThanThreshold', missing: 'breaching' });
    expect(state()).toBe('OK');
    pass(4);
    expect(state()).toBe('OK');
    pass(2);
    expect(state()).toBe('ALARM');
    count();
    expect(state()).toBe('OK');
  });

  it.each(['ignore', 'missing'] as const)('keeps its state without a count with "%s"', (missing) => {
    const { pass, count, state } = start({ missing });
    count();
    pass(60);
    expect(state()).toBe('ALARM');
    count(0);
    expect(state()).toBe('OK');
  });

  it.each([
    ['GreaterThanThreshold', ['OK', 'OK', 'ALARM']],
    ['GreaterThanOrEqualToThreshold', ['OK', 'ALARM', 'ALARM']],
    ['LessThanOrEqualToThreshold', ['ALARM', 'ALARM', 'OK']],
    ['LessThanThreshold', ['ALARM', 'OK', 'OK']],
  ] as const)('compares with %s', (comparison, expected) => {
    const { count, state } = start({ comparison, threshold: 2 });
    const seen = [1, 2, 3].map(() => {
      count();
      return state();
    });
    expect(seen).toEqual(expected);
  });
});

describe('a metric', () => {
  const id = { namespace: 'shop', name: 'Unavailable', dimensions: { service: 'verifier' } };
  const begin = Date.parse('2026-11-21T12:00:00.000Z');

  it('has one value for each minute of a span, and none for a minute in which nothing was counted', () => {
    const { minutes, count, pass } = start();
    count([1, 2]);
    count(4);
    pass(2);
    count(8);
    const span = { begin: begin - minute, end: begin + 3 * minute };
    expect(minutes(id, 'Sum', span)).toEqual([undefined, 7, undefined, 8]);
    expect(minutes(id, 'Maximum', span)).toEqual([undefined, 4, undefined, 8]);
    expect(minutes(id, 'Minimum', span)).toEqual([undefined, 1, undefined, 8]);
    expect(minutes(id, 'SampleCount', span)).toEqual([undefined, 3, undefined, 1]);
  });
});
