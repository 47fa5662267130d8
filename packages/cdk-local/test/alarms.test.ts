import { afterEach, describe, expect, it } from 'vitest';
import { type Alarms, type AlarmView, startAlarms } from '../src/alarms/alarms.ts';
import { metricKey } from '../src/alarms/metrics.ts';
import type { AlarmModel } from '../src/template/model.ts';

const minute = 60_000;
const begin = Date.parse('2026-11-21T12:00:30.000Z');
const key = (name: string) => metricKey('shop', name, { service: 'verifier' });

/** Rings when something was counted in the last five minutes. */
const model: AlarmModel = {
  name: 'QueueUnavailable',
  description: 'SQS did not confirm.',
  metrics: [key('QueueUnavailable')],
  fillsWithZero: false,
  periodSeconds: 300,
  periods: 1,
  breachingPeriods: 1,
  comparison: 'GreaterThanOrEqualToThreshold',
  threshold: 1,
  missing: 'notBreaching',
};

let alarms: Alarms | undefined;
afterEach(() => alarms?.stop());

function start(changes: Partial<AlarmModel> = {}) {
  let now = begin;
  const changed: AlarmView[] = [];
  const started = startAlarms({
    models: [{ ...model, ...changes }],
    clock: () => now,
    onChange: (alarm) => changed.push(alarm),
  });
  alarms = started;
  return {
    changed,
    pass: (minutes: number) => {
      now += minutes * minute;
    },
    count: (name: string, values: unknown = 1, service = 'verifier') => {
      const metrics = [{ Namespace: 'shop', Dimensions: [['service']], Metrics: [{ Name: name }] }];
      started.onLine(JSON.stringify({ _aws: { CloudWatchMetrics: metrics }, service, [name]: values }));
    },
    state: () => started.list()[0]?.state,
  };
}

describe('an alarm', () => {
  it('is OK from the start, rings when its metric reaches the threshold, and ends after its period', () => {
    const { changed, pass, count, state } = start();
    expect(alarms?.list()).toEqual([
      {
        name: 'QueueUnavailable',
        state: 'OK',
        description: 'SQS did not confirm.',
        since: '2026-11-21T12:00:30.000Z',
      },
    ]);
    count('QueueUnavailable');
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
    ['another metric', 'Other', 1, 'verifier'],
    ['another dimension', 'QueueUnavailable', 1, 'consumer'],
    ['a count of zero', 'QueueUnavailable', [0, 0], 'verifier'],
    ['what is no number', 'QueueUnavailable', 'many', 'verifier'],
  ])('does not ring for %s', (_, name, values, service) => {
    const { count, state } = start();
    count(name, values, service);
    expect(state()).toBe('OK');
  });

  it('does not read lines that are no metrics', () => {
    const { state } = start();
    for (const line of ['"_aws"', '{"_aws":1}', '{"_aws":{"CloudWatchMetrics":[{"Metrics":[1]}]}}', '[]', ''])
      alarms?.onLine(line);
    expect(state()).toBe('OK');
  });

  it('adds up all values of a line, and all lines of a period', () => {
    const { count, state } = start({ threshold: 5 });
    count('QueueUnavailable', [1, 1, 1]);
    count('QueueUnavailable', 1);
    expect(state()).toBe('OK');
    count('QueueUnavailable', 1);
    expect(state()).toBe('ALARM');
  });

  it('rings only after as many periods as it wants', () => {
    const { pass, count, state } = start({ periods: 3, breachingPeriods: 3 });
    for (const expected of ['OK', 'OK', 'ALARM']) {
      count('QueueUnavailable');
      expect(state()).toBe(expected);
      pass(5);
    }
    expect(state()).toBe('OK');
  });

  it('rings after some of its periods where that is enough', () => {
    const { pass, count, state } = start({ periods: 3, breachingPeriods: 2 });
    count('QueueUnavailable');
    pass(10);
    expect(state()).toBe('OK');
    count('QueueUnavailable');
    expect(state()).toBe('ALARM');
  });

  it('adds up several metrics', () => {
    const both = { metrics: [key('Missing'), key('Malformed')], threshold: 2 };
    const filled = start({ ...both, fillsWithZero: true });
    filled.count('Missing', 2);
    expect(filled.state()).toBe('ALARM');
    const gaps = start(both);
    gaps.count('Missing', 2);
    expect(gaps.state()).toBe('OK');
    gaps.count('Malformed', 0);
    expect(gaps.state()).toBe('ALARM');
  });

  it('rings when nothing was counted for a period, and a missing count breaches', () => {
    const { pass, count, state } = start({ comparison: 'LessThanThreshold', missing: 'breaching' });
    expect(state()).toBe('OK');
    pass(4);
    expect(state()).toBe('OK');
    pass(2);
    expect(state()).toBe('ALARM');
    count('QueueUnavailable');
    expect(state()).toBe('OK');
  });

  it.each(['ignore', 'missing'] as const)('stays as it is without a count, when told %s', (missing) => {
    const { pass, count, state } = start({ missing });
    count('QueueUnavailable');
    pass(60);
    expect(state()).toBe('ALARM');
    count('QueueUnavailable', 0);
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
      count('QueueUnavailable');
      return state();
    });
    expect(seen).toEqual(expected);
  });
});
