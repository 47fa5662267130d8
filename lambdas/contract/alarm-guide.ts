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
  ApprovalsWaiting: guide('today', 'payhooks approvals list'),
  BackupFailed: guide('this week', 'payhooks status'),
  BodiesTooLarge: guide('today', 'payhooks refused'),
  ChangesLate: guide('today', 'payhooks status'),
  ConsumerErrors: guide('today', 'payhooks status'),
  DeadLettersExpiring: guide('now', 'payhooks dlq list'),
  DeadLettersPresent: guide('now', 'payhooks dlq list'),
  DeliveriesGivenUp: guide('today', 'payhooks reconcile'),
  DeliveriesMissing: guide('now', 'payhooks reconcile'),
  EventConflicts: guide('today', 'payhooks events list --kind conflict'),
  EventNamesUnknown: guide('today', 'payhooks events list --kind event_name'),
  EventsDelayed: guide('now', 'payhooks status'),
  EventsQuarantined: guide('today', 'payhooks events list --kind quarantined'),
  EventsUnassigned: guide('today', 'payhooks events list --kind unassigned'),
  EventsUnknownToService: guide('now', 'payhooks reconcile'),
  EventsUnrecognised: guide('today', 'payhooks events list --kind unrecognised'),
  EventsWithoutOrder: guide('now', 'payhooks events list --waiting'),
  FeedDelayed: guide('now', 'payhooks status'),
  FeedFailuresLost: guide('today', 'payhooks status'),
  FeedFailuresPresent: guide('today', 'payhooks status'),
  HeartbeatMissing: guide('now', 'payhooks smoke'),
  InvocationsForged: guide('now', 'payhooks status'),
  MessagesUnsealed: guide('now', 'payhooks events list --kind unsealed'),
  OperationsServerErrors: guide('today', 'payhooks status'),
  OrderQueryServerErrors: guide('today', 'payhooks status'),
  OrdersWithAttention: guide('today', 'payhooks orders list --attention'),
  OrdersFull: guide('today', 'payhooks events list --kind order_refused'),
  RecordsRetried: guide('now', 'payhooks status'),
  SafeguardsOff: guide('today', 'payhooks repair --dry-run'),
  SealRotationFailed: guide('this week', 'payhooks status'),
  SecretReadFailed: guide('now', 'payhooks keys list'),
  SignatureKeysExpired: guide('now', 'payhooks refused'),
  SignatureMismatches: guide('now', 'payhooks refused'),
  SignaturesUnreadable: guide('today', 'payhooks refused'),
  TokenRefreshFailed: guide('this week', 'payhooks token refresh'),
  WaitingCountSilent: guide('today', 'payhooks events list --waiting'),
  WebhookAuditIncomplete: guide('today', 'payhooks webhooks audit'),
  WebhookAuditSilent: guide('this week', 'payhooks webhooks audit'),
  WebhookCertificateExpiring: guide('this week', 'payhooks status'),
  WebhookNotRegistered: guide('now', 'payhooks webhooks audit'),
  WebhookRegisteredTwice: guide('this week', 'payhooks webhooks audit'),
  WebhookUnreachable: guide('now', 'payhooks smoke'),
  WebhookServerErrors: guide('now', 'payhooks refused'),
  WebhooksFlooding: guide('today', 'payhooks refused'),
  WebhooksSilent: guide('now', 'payhooks webhooks audit'),
  WebhooksSlow: guide('today', 'payhooks status'),
  WebhooksThrottled: guide('now', 'payhooks refused'),
} as const;

export type AlarmName = keyof typeof alarmGuide;
