import * as assumed from './assumed.ts';
import { addUsages, billOf, gigabyteSeconds, sumOf, type Usage } from './bill.ts';
import { heartbeatIntervalMinutes, limits } from './payhooks.ts';
import * as list from './prices.ts';
import type { Measurement } from './scenarios.ts';

export const auditsPerMonth = (list.hoursPerMonth * 60) / limits.webhookAuditIntervalMinutes;

/** Lines of a bill that the free tier of an account covers at these rates, as long as the account exists. */
const coveredLines: readonly (keyof Usage)[] = [
  ...(['invocations', 'gigabyteSeconds', 'feedInvocations', 'feedGigabyteSeconds', 'queueRequests'] as const),
  ...(['functionLogs', 'platformLogs', 'accessLogs', 'feedLogs', 'keptLogs'] as const),
];

const monthOf = (usage: Usage, times: number) => {
  const bill = billOf(addUsages([usage, times]));
  const rest = bill.filter(({ name }) => !coveredLines.includes(name));
  return { list: sumOf(bill) + list.cost(times, 'schedulerInvocation'), own: sumOf(rest) };
};

/** A month without webhooks: at list prices, and what is left of it in an account with nothing else. */
export function idleMonth({ stack, counted }: Measurement) {
  const receives = stack.polledQueues * assumed.emptyPollsPerSecond * list.secondsPerMonth;
  const audit = {
    invocations: 1,
    gigabyteSeconds: gigabyteSeconds('webhook-audit', 1, stack),
    secretReads: 1,
  };
  const counts = (list.hoursPerMonth * 60) / limits.waitingCountIntervalMinutes;
  const line = (title: string, many: number | string, { list: dollars, own = dollars }: Amount) => ({
    ...{ title, many, dollars, own },
  });
  /** Units of which the account has some for nothing. */
  const units = (name: list.PriceName, many: number, free: number): Amount => ({
    list: list.cost(many, name),
    own: list.cost(Math.max(0, many - free), name),
  });
  const { alarmMetrics, dashboards } = stack;
  return [
    line(
      'alarms',
      `${stack.alarms} alarms over ${alarmMetrics} metrics`,
      units('alarmMetricMonth', alarmMetrics, assumed.free.alarmMetrics),
    ),
    line('dashboard (`dashboard`)', dashboards, units('dashboardMonth', dashboards, assumed.free.dashboards)),
    line('secrets', stack.secrets, { list: list.cost(stack.secrets, 'secretMonth') }),
    line('polls of the empty queue', receives, units('queueRequest', receives, assumed.free.queueRequests)),
    line('webhook audits', auditsPerMonth, monthOf(audit, auditsPerMonth)),
    line('counts of what waits', counts, monthOf(counted.waiting.usage, counts)),
    ...heartbeatLines({ stack, counted }).map(({ title, many, ...amount }) => line(title, many, amount)),
  ];
}

interface Amount {
  readonly list: number;
  /** Above the free tier of an account with nothing else; the same by default. */
  readonly own?: number;
}

/** Each takes the way of a payment, with its lines and two invocations; the verifier reads the key hourly. */
function heartbeatLines({ stack, counted }: Measurement) {
  const many = (list.hoursPerMonth * 60) / heartbeatIntervalMinutes;
  const own: Usage = { invocations: 2, gigabyteSeconds: 2 * gigabyteSeconds('heartbeat', 1, stack) };
  const secretReads = { secretReads: list.hoursPerMonth / many };
  const month = monthOf(addUsages([counted.logged.usage, 1], [own, 1], [secretReads, 1]), many);
  return [
    { title: 'heartbeats (`heartbeat`)', many, ...month },
    { title: 'metric of heartbeats', many: 1, list: list.cost(1, 'metricMonth'), own: 0 },
  ];
}

/** What a month of a setting costs that no webhook pays for, except traces. */
export function settingAdditions({ stack, counted }: Measurement) {
  const gigabytes = (stack.memoryMegabytes['verifier'] ?? 0) / 1024;
  const { heartbeatAlarms: alarms, heartbeatAlarmMetrics: metrics } = stack;
  const heartbeat =
    sumOf(heartbeatLines({ stack, counted }).map((line) => ({ dollars: line.list }))) +
    list.cost(1, 'secretMonth') +
    list.cost(metrics, 'alarmMetricMonth');
  const million = 1_000_000;
  const lines = sumOf(billOf(addUsages([counted.logged.usage, million], [counted.paid.usage, -million])));
  return [
    {
      setting: '`eventsAtRiskAlarm`',
      adds: 'an alarm over others',
      dollars: list.cost(1, 'compositeAlarmMonth'),
    },
    {
      setting: '`encryptionKeyArn` `own`',
      adds: 'two keys, in their first year; requests to them',
      dollars: list.cost(2, 'keyMonth'),
    },
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
