import { auditIncompleteWeights } from '../contract/alarm-thresholds.ts';
import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';

const metrics = {
  not_registered: metricNames.webhookNotRegistered,
  not_live: metricNames.webhookNotRegistered,
  event_missing: metricNames.webhookNotRegistered,
  registration_unreadable: metricNames.webhookAuditIncomplete,
  registered_twice: metricNames.webhookRegisteredTwice,
  webhook_unreachable: metricNames.webhookUnreachable,
  deliveries_missing: metricNames.deliveriesMissing,
  deliveries_given_up: metricNames.deliveriesGivenUp,
  events_unknown: metricNames.eventsUnknownToService,
  history_unreadable: metricNames.webhookAuditIncomplete,
  credential_refused: metricNames.webhookAuditIncomplete,
  service_unreachable: metricNames.webhookAuditIncomplete,
} as const satisfies Readonly<Record<string, MetricName>>;

type FindingKind = keyof typeof metrics;

const weights: Readonly<Partial<Record<FindingKind, number>>> = auditIncompleteWeights;

/** What an audit found to be wrong, or could not do. */
export interface Finding {
  readonly kind: FindingKind;
  /** A sentence for an operator, without secrets. */
  readonly detail: string;
  /** The arguments of the command `payhooks` that fixes it, or that shows more, without the stack. */
  readonly fix: readonly string[];
}

/** The result of an audit, for an operator who invokes the function by hand. */
export interface AuditReport {
  readonly findings: readonly (Pick<Finding, 'kind' | 'detail'> & { readonly command: string })[];
}

/** Logs each finding with the command to run, and counts each kind once. */
export function report(
  telemetry: Telemetry,
  stackName: string,
  found: readonly Finding[],
): AuditReport['findings'] {
  for (const kind of new Set(found.map((finding) => finding.kind)))
    telemetry.count(metrics[kind], weights[kind] ?? 1);
  return found.map(({ kind, detail, fix }) => {
    const finding = { kind, detail, command: fixCommand({ fix }, stackName) };
    telemetry.log('error', 'webhook audit found', finding);
    return finding;
  });
}

/**
 * The command that fixes an issue, ready for a POSIX shell. Values from the payment service are foreign, so
 * everything but plain characters is quoted.
 */
export function fixCommand({ fix }: Pick<Finding, 'fix'>, stackName: string): string {
  return ['npx', 'payhooks', ...fix, '--stack', stackName].map(quoted).join(' ');
}

const quoted = (word: string): string =>
  /^[\w.,:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
