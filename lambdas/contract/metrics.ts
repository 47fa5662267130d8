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
  /** Of events: the gauges below count how many wait. */
  eventsBeganToWait: 'EventsBeganToWait',
  /** In seconds. */
  retriedRecordAge: 'RetriedRecordAge',
  /** A function was invoked with an event that its source never sent; of `allStages`. */
  invocationsForged: 'InvocationsForged',
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
} as const;

/**
 * How many rows wait, by why they do; the alarm for it has the same name. `order_refused`: its order is full
 * · `unsealed`: the verifier did not send it · `event_name`: the name has no meaning · `attention`: of an
 * order, not an event.
 */
export const waitingGauges = {
  unassigned: 'EventsUnassigned',
  quarantined: 'EventsQuarantined',
  order_refused: 'OrdersFull',
  conflict: 'EventConflicts',
  unrecognised: 'EventsUnrecognised',
  unsealed: 'MessagesUnsealed',
  event_name: 'EventNamesUnknown',
  attention: 'OrdersWithAttention',
} as const;
export type WaitingKind = keyof typeof waitingGauges;
export const waitingKinds = Object.keys(waitingGauges) as readonly WaitingKind[];

/** Everything that waits for a person: those, and the acts that another identity must approve. */
export const levelGauges = { ...waitingGauges, approval: 'ApprovalsWaiting' } as const;
export type LevelKind = keyof typeof levelGauges;
export const levelKinds = Object.keys(levelGauges) as readonly LevelKind[];

type Names = typeof metricNames & typeof levelGauges;
export type MetricName = Names[keyof Names];

/** Counted for the whole deployment, under this service: what to do is the same at each stage. */
export const allStages = 'all';
export const metricsOfAllStages: ReadonlySet<MetricName> = new Set([metricNames.invocationsForged]);
