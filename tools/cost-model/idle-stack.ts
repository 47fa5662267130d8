import * as assumed from './assumed.ts';
import { addUsages, billOf, gigabyteSeconds, sumOf, type Usage } from './bill.ts';
import { heartbeatIntervalMinutes, limits } from './payhooks.ts';
import * as list from './prices.ts';
import type { Measurement } from './scenarios.ts';

export const auditsPerMonth = (list.hoursPerMonth * 60) / limits.webhookAuditIntervalMinutes;

/** A month without webhooks. Every audit reads the secret. */
export function idleMonth({ stack, counted }: Measurement) {
  const receives = stack.polledQueues * assumed.emptyPollsPerSecond * list.secondsPerMonth;
  const duration = gigabyteSeconds('webhook-audit', 1, stack);
  const audit = { invocations: 1, gigabyteSeconds: duration, secretReads: 1 };
  const counts = (list.hoursPerMonth * 60) / limits.waitingCountIntervalMinutes;
  const count = sumOf(billOf(counted.waiting.usage)) + list.cost(1, 'schedulerInvocation');
  const line = (title: string, many: number | string, amount: number) => ({ title, many, dollars: amount });
  const alarms = `${stack.alarms} alarms over ${stack.alarmMetrics} metrics`;
  return [
    line('alarms', alarms, list.cost(stack.alarmMetrics, 'alarmMetricMonth')),
    line(
      'alarm over others (`eventsAtRiskAlarm`)',
      stack.compositeAlarms,
      list.cost(stack.compositeAlarms, 'compositeAlarmMonth'),
    ),
    line('dashboard (`dashboard`)', stack.dashboards, list.cost(stack.dashboards, 'dashboardMonth')),
    line('KMS key of the alarm topic', stack.encryptionKeys, list.cost(stack.encryptionKeys, 'keyMonth')),
    line('secrets', stack.secrets, list.cost(stack.secrets, 'secretMonth')),
    line('polls of the empty queue', receives, list.cost(receives, 'queueRequest')),
    line(
      'webhook audits',
      auditsPerMonth,
      auditsPerMonth * (sumOf(billOf(audit)) + list.cost(1, 'schedulerInvocation')),
    ),
    line('counts of what waits', counts, counts * count),
    ...heartbeatLines({ stack, counted }),
  ];
}

/** Each takes the way of a payment, with its lines and two invocations; the verifier reads the key hourly. */
function heartbeatLines({ stack, counted }: Measurement) {
  const many = (list.hoursPerMonth * 60) / heartbeatIntervalMinutes;
  const own: Usage = { invocations: 2, gigabyteSeconds: 2 * gigabyteSeconds('heartbeat', 1, stack) };
  const each = sumOf(billOf(addUsages([counted.logged.usage, 1], [own, 1])));
  const reads = list.cost(list.hoursPerMonth, 'secretRead');
  const dollars = many * (each + list.cost(1, 'schedulerInvocation')) + reads;
  return [
    { title: 'heartbeats (`heartbeat`)', many, dollars },
    { title: 'metric of heartbeats', many: 1, dollars: list.cost(1, 'metricMonth') },
  ];
}

/** What a month of a setting costs that no webhook pays for, except traces. */
export function settingAdditions({ stack, counted }: Measurement) {
  const gigabytes = (stack.memoryMegabytes['verifier'] ?? 0) / 1024;
  const { heartbeatAlarms: alarms, heartbeatAlarmMetrics: metrics } = stack;
  const heartbeat =
    sumOf(heartbeatLines({ stack, counted })) +
    list.cost(1, 'secretMonth') +
    list.cost(metrics, 'alarmMetricMonth');
  const million = 1_000_000;
  const lines = sumOf(billOf(addUsages([counted.logged.usage, million], [counted.paid.usage, -million])));
  return [
    { setting: '`logLevel` `info`', adds: 'the lines of a million paid events', dollars: lines },
    {
      setting: '`heartbeat`',
      adds: `heartbeats, their secret and metric, ${alarms} alarms over ${metrics} metrics`,
      dollars: heartbeat,
    },
    {
      setting: '`tracing`',
      adds: 'a million traces of one function',
      dollars: list.cost(1_000_000, 'trace'),
    },
    {
      setting: '`verifierProvisionedConcurrency`',
      adds: 'each environment, also while nothing arrives',
      dollars: list.cost(gigabytes * list.secondsPerMonth, 'provisionedGigabyteSecond'),
    },
  ];
}
