import { metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/** An audit that found one of these could not do all its work. */
const incomplete = [
  ...(['registration_unreadable', 'history_unreadable'] as const),
  ...(['credential_refused', 'service_unreachable'] as const),
] as const;

type FindingKind =
  | (typeof incomplete)[number]
  | ('not_registered' | 'not_live' | 'event_missing' | 'registered_twice' | 'webhook_unreachable')
  | ('deliveries_missing' | 'deliveries_given_up' | 'events_unknown');

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

/** Logs each finding with the command to run. */
export function report(
  telemetry: Telemetry,
  stackName: string,
  found: readonly Finding[],
): AuditReport['findings'] {
  return found.map(({ kind, detail, fix }) => {
    const finding = { kind, detail, command: fixCommand({ fix }, stackName) };
    telemetry.log('error', 'webhook audit found', finding);
    return finding;
  });
}

/**
 * One alarm goes by the highest value of an hour. The other ends with a zero, which only an audit that did
 * all its work emits: one that found something and could not look for the rest is incomplete.
 */
export function countFindings(
  telemetry: Telemetry,
  { findings }: AuditReport,
  { isDone }: { readonly isDone: boolean },
): void {
  const isIncomplete = (kind: FindingKind) => incomplete.some((one) => one === kind);
  const kinds = new Set(findings.map(({ kind }) => kind));
  const wrong = [...kinds].filter((kind) => !isIncomplete(kind)).length;
  const isComplete = isDone && wrong === kinds.size;
  for (const value of [...(wrong > 0 ? [wrong] : []), ...(isComplete ? [0] : [])])
    telemetry.measure(metricNames.webhookAuditFindings, value, 'Count');
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
