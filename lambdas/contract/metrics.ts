import type { WaitingKind } from './waiting-kinds.ts';

/**
 * The metrics that the functions emit (CloudWatch embedded metric format), named for what was counted; the
 * unit is Count where no other is given. `lib/alarms.ts` builds alarms on them; `docs/runbook.md` has a
 * heading for each alarm.
 */
export const metricNames = {
  signatureMissing: 'SignatureMissing',
  signatureMalformed: 'SignatureMalformed',
  /** Both of them: an alarm is billed by the metric. */
  signaturesUnreadable: 'SignaturesUnreadable',
  signatureMismatch: 'SignatureMismatch',
  signatureKeyExpired: 'SignatureKeyExpired',
  bodyTooLarge: 'BodyTooLarge',
  /** At most once a minute and instance; only with `expectWebhooksWithin`. */
  webhooksAccepted: 'WebhooksAccepted',
  keysUnavailable: 'KeysUnavailable',
  secretReadFailed: 'SecretReadFailed',
  queueUnavailable: 'QueueUnavailable',
  /** All that waits; see `waiting-count.ts` for when it is 0. */
  eventsWaiting: 'EventsWaiting',
  recordsRetried: 'RecordsRetried',
  /** In seconds. */
  retriedRecordAge: 'RetriedRecordAge',
  feedEntriesRetried: 'FeedEntriesRetried',
  feedChangesFailed: 'FeedChangesFailed',
  /** Seconds from the time stamp of a write to its commit. */
  changeLag: 'ChangeLag',
  webhookRegisteredTwice: 'WebhookRegisteredTwice',
  /** Our URL is not registered, not live, lacks an event, or deliveries do not reach it. */
  webhookUnreachable: 'WebhookUnreachable',
  /** Acknowledged and stored nowhere, or given up. */
  deliveriesMissing: 'DeliveriesMissing',
  tokenRefreshFailed: 'TokenRefreshFailed',
  /** Seconds from the delivery of a heartbeat to its return from the bus. */
  heartbeatReturned: 'HeartbeatReturned',
} as const;

/** How many rows of a kind wait. */
export const waitingGauges = {
  unassigned: 'EventsUnassigned',
  quarantined: 'EventsQuarantined',
  order_refused: 'OrdersFull',
  conflict: 'EventConflicts',
  unrecognised: 'EventsUnrecognised',
  event_name: 'EventNamesUnknown',
} as const satisfies Readonly<Record<WaitingKind, string>>;

export type MetricName = (typeof metricNames)[keyof typeof metricNames] | (typeof waitingGauges)[WaitingKind];
