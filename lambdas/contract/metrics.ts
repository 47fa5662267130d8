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
  /** Responses with 4xx, by the weights of `refusalWeights`; a metric filter adds 429; without a stage. */
  webhooksRefused: 'WebhooksRefused',
  queueUnavailable: 'QueueUnavailable',
  recordsRetried: 'RecordsRetried',
  eventsBeganToWait: 'EventsBeganToWait',
  /** In seconds. */
  retriedRecordAge: 'RetriedRecordAge',
  /** An event that its source never sent, or a message that the verifier did not seal; without a stage. */
  forgeriesFound: 'ForgeriesFound',
  /** Seconds from the time stamp of a write to its commit. */
  changeLag: 'ChangeLag',
  /** Kinds of findings, and a zero of each audit that did all its work. */
  webhookAuditFindings: 'WebhookAuditFindings',
  /** Rows of every kind, at each count. */
  decisionsWaiting: 'DecisionsWaiting',
  /** Kinds that began to wait while the alarm for another row was on. */
  waitingKindsAdded: 'WaitingKindsAdded',
} as const;
export type MetricName = (typeof metricNames)[keyof typeof metricNames];

/**
 * Why a row waits. `order_refused`: its order is full · `unsealed`: the verifier did not send it ·
 * `event_name`: the name has no meaning · `attention`: of an order, not an event.
 */
export const waitingKinds = [
  ...(['unassigned', 'quarantined', 'order_refused', 'conflict', 'unrecognised'] as const),
  ...(['unsealed', 'event_name', 'attention'] as const),
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** Everything that waits for a person: those, and the acts that another identity must approve. */
export const levelKinds = [...waitingKinds, 'approval'] as const;
export type LevelKind = (typeof levelKinds)[number];

/** Counted for the whole deployment, without a stage: what to do is the same at each. */
export const metricsOfAllStages: ReadonlySet<MetricName> = new Set([
  ...[metricNames.forgeriesFound, metricNames.webhooksRefused],
]);
