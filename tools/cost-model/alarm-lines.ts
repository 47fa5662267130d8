import { dollars, table } from './documents.ts';
import type { AlarmName } from './payhooks.ts';
import * as list from './prices.ts';
import type { Measurement } from './scenarios.ts';

interface AlarmLine {
  readonly consequence: string;
  readonly alarms: readonly AlarmName[];
}

/** The alarms of an idle stack by what happens if nobody acts. */
const lines: readonly AlarmLine[] = [
  {
    consequence: 'a webhook is refused here',
    alarms: [
      ...(['WebhookServerErrors', 'SecretReadFailed', 'WebhooksThrottled', 'SignatureMismatches'] as const),
      ...(['SignatureKeysExpired', 'SignaturesUnreadable', 'BodiesTooLarge'] as const),
    ],
  },
  {
    consequence: 'the payment service shows that webhooks do not arrive, or twice',
    alarms: [
      ...(['WebhookNotRegistered', 'WebhookUnreachable', 'DeliveriesMissing', 'DeliveriesGivenUp'] as const),
      'WebhookRegisteredTwice',
    ],
  },
  {
    consequence: 'an acknowledged event is not recorded, or late',
    alarms: [
      ...(['DeadLettersPresent', 'EventsDelayed', 'RecordsRetried', 'ConsumerErrors'] as const),
      ...(['ConsumerThrottles', 'TablesThrottled'] as const),
    ],
  },
  {
    consequence: 'an event waits for a person',
    alarms: [
      ...(['EventsUnassigned', 'EventsQuarantined', 'OrdersFull', 'EventConflicts'] as const),
      ...(['EventsUnrecognised', 'EventNamesUnknown'] as const),
    ],
  },
  {
    consequence: 'order systems do not get a change, or late',
    alarms: [
      ...(['FeedDelayed', 'FeedErrors', 'FeedThrottles', 'FeedFailuresPresent'] as const),
      ...(['FeedFailuresLost', 'ChangesLate'] as const),
    ],
  },
  {
    consequence: 'a caller of an API gets a 5xx response',
    alarms: ['OrderQueryServerErrors', 'OperationsServerErrors'],
  },
  {
    consequence: 'a fault would go unseen',
    alarms: [
      ...(['HeartbeatMissing', 'LogsSilent', 'WaitingCountSilent', 'WebhookAuditSilent'] as const),
      'WebhookAuditIncomplete',
    ],
  },
];

/** Throws when an alarm of the stack is in no line, or in two. */
export function alarmTable({ stack: { metricsOfAlarms } }: Measurement): string {
  const listed = lines.flatMap(({ alarms }) => alarms).toSorted();
  const deployed = Object.keys(metricsOfAlarms).toSorted();
  if (listed.join() !== deployed.join()) throw new Error(`The alarms of the stack are ${deployed}.`);
  return table(
    'consequence | alarms, with their metrics if several | list price a month',
    lines.map(({ consequence, alarms }) => {
      const counts = alarms.map((name) => metricsOfAlarms[name] ?? 0);
      const named = alarms.map((name, index) => {
        const many = counts[index] ?? 0;
        return `[\`${name}\`](runbook.md#${name.toLowerCase()})${many > 1 ? ` ${many}` : ''}`;
      });
      const metrics = counts.reduce((sum, one) => sum + one, 0);
      return [consequence, named.join(', '), dollars(list.cost(metrics, 'alarmMetricMonth'))];
    }),
  );
}
