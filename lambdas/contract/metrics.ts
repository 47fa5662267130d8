/**
 * The metrics that the functions emit, in counts where no unit is given; `lib/alarms.ts` builds alarms on
 * them.
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
  recordsRetried: 'RecordsRetried',
  /** Attempts of the consumer that DynamoDB throttled, also those that the SDK repeated with success. */
  tablesThrottled: 'TablesThrottled',
  /** In seconds. */
  retriedRecordAge: 'RetriedRecordAge',
  feedChangesFailed: 'FeedChangesFailed',
  /** Seconds from the time stamp of a write to its commit. */
  changeLag: 'ChangeLag',
  /** Our URL is not registered, not live, or lacks an event. */
  webhookNotRegistered: 'WebhookNotRegistered',
  webhookRegisteredTwice: 'WebhookRegisteredTwice',
  webhookUnreachable: 'WebhookUnreachable',
  deliveriesMissing: 'DeliveriesMissing',
  deliveriesGivenUp: 'DeliveriesGivenUp',
  /** Stored and counted in an order, and not in the history of the payment service. */
  eventsUnknownToService: 'EventsUnknownToService',
  /** By the weights of `auditIncompleteWeights`. */
  webhookAuditIncomplete: 'WebhookAuditIncomplete',
  tokenRefreshFailed: 'TokenRefreshFailed',
  /** Seconds from the delivery of a heartbeat to its return from the bus. */
  heartbeatReturned: 'HeartbeatReturned',
} as const;

/**
 * How many rows wait, by why they do; the alarm for it has the same name. `order_refused`: its order is full
 * · `event_name`: the name has no meaning.
 */
export const waitingGauges = {
  unassigned: 'EventsUnassigned',
  quarantined: 'EventsQuarantined',
  order_refused: 'OrdersFull',
  conflict: 'EventConflicts',
  unrecognised: 'EventsUnrecognised',
  event_name: 'EventNamesUnknown',
} as const;
export type WaitingKind = keyof typeof waitingGauges;
export const waitingKinds = Object.keys(waitingGauges) as readonly WaitingKind[];

type Names = typeof metricNames & typeof waitingGauges;
export type MetricName = Names[keyof Names];
