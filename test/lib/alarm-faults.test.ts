import { readAlarm, startAlarms } from '@payhooks/cdk-local/emulators';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import { refusalWeights } from '../../lambdas/contract/alarm-thresholds.ts';
import { queueVisibilitySeconds } from '../../lambdas/contract/limits.ts';
import { synthesise } from './synthesis.ts';

const stackName = 'payhooks-production';

/** The alarm of the template, over metrics that the test adds by namespace and name. */
function watch(alarm: AlarmName, settings = {}) {
  const found = synthesise(settings)
    .ofType('AWS::CloudWatch::Alarm')
    .find(([, { Properties }]) => Properties['AlarmName'] === `${stackName}-${alarm}`);
  const [logicalId, { Properties: given }] = found ?? expect.unreachable();
  // Names in place of references.
  const properties = JSON.parse(JSON.stringify(given), (_, value) => value?.Ref ?? value);
  const named = JSON.parse(JSON.stringify(properties), (_, value) => value?.['Fn::GetAtt']?.[0] ?? value);
  const model = readAlarm(
    {
      logicalId,
      read: (schema) =>
        v.parse(schema, Object.fromEntries(Object.keys(schema.entries).map((name) => [name, named[name]]))),
    },
    stackName,
  );
  let now = Date.parse('2026-11-21T12:00:30.000Z');
  const alarms = startAlarms({ models: [model], clock: () => now, onChange: () => {} });
  onTestFinished(alarms.stop);
  return {
    add(text: string, values: readonly number[]) {
      const { key } =
        Object.values(model.metrics).find(({ key }) => key.includes(`"${text}"`)) ?? expect.unreachable(text);
      const [namespace, name, dimensions] = JSON.parse(key);
      for (const value of values)
        alarms.addMetrics(namespace, Object.fromEntries(dimensions), { [name]: value });
    },
    pass: (minutes: number) => {
      now += minutes * 60_000;
    },
    state: () => alarms.list()[0]?.state,
  };
}

const heartbeatsPerHour = 12;

describe.each<
  [AlarmName, all: string, bad: string, ...cases: [title: string, bad: number, all: number, state: string][]]
>([
  [
    ...(['WebhooksRefused', 'NumberOfMessagesSent', 'WebhooksRefused'] as const),
    ['two requests that are all refused, as with a wrong key at low traffic', 2, 0, 'ALARM'],
    ['one forgery at night', 1, 0, 'OK'],
    ['five forgeries among two thousand good events', 5, 2_000, 'OK'],
    ['one event in ten, as when one of several keys is missing', 200, 1_800, 'ALARM'],
    ['one webhook with an expired key at high traffic', refusalWeights.key_expired, 1_000_000, 'ALARM'],
    ['ten scanners that sign nothing', 10 * refusalWeights.missing, 0, 'OK'],
    ['forty webhooks without a signature', 40 * refusalWeights.missing, 0, 'ALARM'],
    ['one signature in ten has another form', 200 * refusalWeights.malformed, 1_800, 'ALARM'],
  ],
  [
    ...(['EventsWithoutOrder', 'NumberOfMessagesDeleted', 'EventsBeganToWait'] as const),
    ['every event waits after the payload has changed', 25, 25, 'ALARM'],
    ['most events wait at high traffic', 600, 1_000, 'ALARM'],
    ['many events wait, and more are applied', 300, 1_000, 'OK'],
    ['a few events wait, and nothing else arrives', 8, 8, 'OK'],
  ],
])('%s', (name, all, counted, ...cases) => {
  it.each(cases)('%s', (_, bad, total, state) => {
    const alarm = watch(name);
    alarm.add(all, [total + heartbeatsPerHour]);
    alarm.add(counted, [bad]);
    expect(alarm.state()).toBe(state);
  });
});

it('WebhooksSlow fires after 15 minutes of slow responses, and not after one slow minute', () => {
  const alarm = watch('WebhooksSlow');
  alarm.add('Latency', [40, 3_500]);
  expect(alarm.state()).toBe('OK');
  for (let minute = 1; minute < 15; minute += 1) {
    alarm.pass(1);
    alarm.add('Latency', [3_500]);
  }
  expect(alarm.state()).toBe('ALARM');
});

it('DecisionsWaiting fires while rows wait, and when nothing has counted them for ten minutes', () => {
  const alarm = watch('DecisionsWaiting');
  alarm.add('DecisionsWaiting', [0]);
  expect(alarm.state()).toBe('OK');
  alarm.add('DecisionsWaiting', [1]);
  expect(alarm.state()).toBe('ALARM');
  alarm.pass(10);
  alarm.add('DecisionsWaiting', [0]);
  expect(alarm.state()).toBe('OK');
  alarm.pass(10);
  expect(alarm.state()).toBe('ALARM');
});

it('WebhookAuditIncomplete fires after an hour without an audit that did all its work', () => {
  const payments = { paymentServiceBaseUrl: 'https://pay.example.com' };
  const alarm = watch('WebhookAuditIncomplete', payments);
  alarm.add('WebhookAuditFindings', [2, 0]);
  alarm.pass(59);
  // An audit that found something, and then could not compare deliveries.
  alarm.add('WebhookAuditFindings', [1]);
  expect(alarm.state()).toBe('OK');
  alarm.pass(1);
  expect(alarm.state()).toBe('ALARM');
});

it('EventsDelayed stays on while an event crashes the consumer each time that the queue shows it again', () => {
  const alarm = watch('EventsDelayed');
  for (let receives = 4; receives < 9; receives += 1) {
    alarm.add('RetriedRecordAge', [(receives - 1) * queueVisibilitySeconds]);
    for (let minute = 0; minute < queueVisibilitySeconds / 60; minute += 1) {
      expect(alarm.state()).toBe('ALARM');
      alarm.pass(1);
    }
  }
});
