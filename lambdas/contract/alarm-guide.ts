import type { LevelKind } from './metrics.ts';

/**
 * How soon a person must act. `now`: webhooks are refused or do not arrive, acknowledged events are not
 * recorded, the order feed stands still, or someone forges messages · `today`: an order may be wrong or out
 * of date, or a fault will get worse if it lasts · `this week`: orders are right, and a safeguard is missing.
 */
export type AlarmSeverity = 'now' | 'today' | 'this week';

export interface AlarmGuide {
  readonly severity: AlarmSeverity;
  /** What to type next, without `npx` and without `--stack`. */
  readonly command: string;
}

const guide = (severity: AlarmSeverity, command: string): AlarmGuide => ({ severity, command });

/**
 * What to do first about each alarm, by its name without that of the stack; `docs/runbook.md` has the rest.
 */
export const alarmGuide = {
  BackupFailed: guide('this week', 'payhooks status'),
  ChangesLate: guide('today', 'payhooks status'),
  ConsumerErrors: guide('today', 'payhooks status'),
  DeadLettersExpiring: guide('now', 'payhooks dlq list'),
  DeadLettersPresent: guide('now', 'payhooks dlq list'),
  DecisionsWaiting: guide('today', 'payhooks events list --waiting'),
  EventsDelayed: guide('now', 'payhooks status'),
  EventsWithoutOrder: guide('now', 'payhooks events list --waiting'),
  FeedDelayed: guide('now', 'payhooks status'),
  FeedFailuresPresent: guide('today', 'payhooks status'),
  ForgeriesFound: guide('now', 'payhooks events list --kind unsealed'),
  HeartbeatMissing: guide('now', 'payhooks smoke'),
  RecordsRetried: guide('now', 'payhooks status'),
  RotationFailed: guide('this week', 'payhooks status'),
  SafeguardsOff: guide('today', 'payhooks repair --dry-run'),
  WaitingKindsAdded: guide('today', 'payhooks events list --waiting'),
  WebhookAuditFindings: guide('now', 'payhooks webhooks audit'),
  WebhookAuditIncomplete: guide('today', 'payhooks webhooks audit'),
  WebhookCertificateExpiring: guide('this week', 'payhooks status'),
  WebhookServerErrors: guide('now', 'payhooks refused'),
  WebhooksFlooding: guide('today', 'payhooks refused'),
  WebhooksRefused: guide('now', 'payhooks refused'),
  WebhooksSilent: guide('now', 'payhooks webhooks audit'),
  WebhooksSlow: guide('today', 'payhooks status'),
} as const;

export type AlarmName = keyof typeof alarmGuide;

/** What to type next about what waits, by its kind; of any other, `payhooks events list --kind`. */
export const waitingCommandOf = (kind: LevelKind): string => {
  if (kind === 'attention') return 'payhooks orders list --attention';
  return kind === 'approval' ? 'payhooks approvals list' : `payhooks events list --kind ${kind}`;
};
