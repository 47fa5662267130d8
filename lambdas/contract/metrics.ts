import type { WaitingKind } from './waiting-kinds.ts';

/**
 * The metrics that the functions emit (CloudWatch embedded metric format), named for what was counted; the
 * unit is Count where no other is given. `lib/alarms.ts` builds alarms on them; `docs/runbook.md` has a
 * heading for each alarm.
 */
export const metricNames = {
  /** No signature, or one in another form; the `reason` of the log line shows which. */
  signatureUnreadable: 'SignatureUnreadable',
  signatureMismatch: 'SignatureMismatch',
  signatureKeyExpired: 'SignatureKeyExpired',
  bodyTooLarge: 'BodyTooLarge',
  /** At most once a minute and instance; only with `expectWebhooksWithin`. */
  webhooksAccepted: 'WebhooksAccepted',
  keysUnavailable: 'KeysUnavailable',
  secretReadFailed: 'SecretReadFailed',
  queueUnavailable: 'QueueUnavailable',
  eventsUnassigned: 'EventsUnassigned',
  eventsQuarantined: 'EventsQuarantined',
  ordersFull: 'OrdersFull',
  eventConflicts: 'EventConflicts',
  eventsUnrecognised: 'EventsUnrecognised',
  eventNamesUnknown: 'EventNamesUnknown',
  recordsRetried: 'RecordsRetried',
  /** Attempts of the consumer that DynamoDB throttled, also those that the SDK repeated with success. */
  tablesThrottled: 'TablesThrottled',
  /** In seconds. */
  retriedRecordAge: 'RetriedRecordAge',
  feedEntriesRetried: 'FeedEntriesRetried',
  feedChangesFailed: 'FeedChangesFailed',
  /** Seconds from the time stamp of a write to its commit. */
  changeLag: 'ChangeLag',
  /** Our URL is not registered, not live, or lacks an event. */
  webhookNotRegistered: 'WebhookNotRegistered',
  webhookRegisteredTwice: 'WebhookRegisteredTwice',
  webhookUnreachable: 'WebhookUnreachable',
  deliveriesMissing: 'DeliveriesMissing',
  deliveriesGivenUp: 'DeliveriesGivenUp',
  /** By the weights of `auditIncompleteWeights`. */
  webhookAuditIncomplete: 'WebhookAuditIncomplete',
  tokenRefreshFailed: 'TokenRefreshFailed',
  /** Seconds from the delivery of a heartbeat to its return from the bus. */
  heartbeatReturned: 'HeartbeatReturned',
} as const;

export type MetricName = (typeof metricNames)[keyof typeof metricNames];

/** How many rows of a kind wait; the alarm for it has the same name. */
export const waitingGauges = {
  unassigned: metricNames.eventsUnassigned,
  quarantined: metricNames.eventsQuarantined,
  order_refused: metricNames.ordersFull,
  conflict: metricNames.eventConflicts,
  unrecognised: metricNames.eventsUnrecognised,
  event_name: metricNames.eventNamesUnknown,
} as const satisfies Readonly<Record<WaitingKind, MetricName>>;
