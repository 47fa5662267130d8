/** The environment variables of the functions: the constructs in `lib/` set them, the handlers read them. */
export const variables = {
  signatureHeader: 'SIGNATURE_HEADER',
  keySecretArn: 'KEY_SECRET_ARN',
  eventQueueUrl: 'EVENT_QUEUE_URL',
  eventsTableName: 'EVENTS_TABLE_NAME',
  ordersTableName: 'ORDERS_TABLE_NAME',
  /** The API that invokes the function, as `ownApiOf` writes it. */
  ownApi: 'OWN_API',
  /** What the stage of that API adds to each event. */
  proofSecretArn: 'PROOF_SECRET_ARN',
  feedBusName: 'FEED_BUS_NAME',
  paymentServiceBaseUrl: 'PAYMENT_SERVICE_BASE_URL',
  /** What must be registered with the payment service. */
  webhookUrl: 'WEBHOOK_URL',
  /** Event names, joined by commas. */
  requiredEvents: 'REQUIRED_EVENTS',
  /** Used in the commands that an audit suggests. */
  stackName: 'STACK_NAME',
  sealSecretArn: 'SEAL_SECRET_ARN',
  /** Optional: set when the stack sends heartbeats. */
  heartbeatKeySecretArn: 'HEARTBEAT_KEY_SECRET_ARN',
  /** Optional: set when the webhook endpoint requires a client certificate. */
  clientCertificateSecretArn: 'CLIENT_CERTIFICATE_SECRET_ARN',
  /** The heartbeat reads its order there. */
  orderQueryUrl: 'ORDER_QUERY_URL',
  /** Optional: the setting of this name. */
  deadMansSwitchUrl: 'DEAD_MANS_SWITCH_URL',
  /** Optional: of SNS, which returns the attributes of the stack's own alarm topic. */
  alarmTopicUrl: 'ALARM_TOPIC_URL',
  /** Optional: set when an alarm watches for silence. */
  countAccepted: 'COUNT_ACCEPTED',
  /** Optional: set when calls to the payment service use an OAuth token instead of the private key. */
  tokenSecretArn: 'TOKEN_SECRET_ARN',
  /** Optional: without it the bodies of events are kept forever. */
  eventRetentionDays: 'EVENT_RETENTION_DAYS',
  /** Added to the sequence of every order: larger after each restore, so that no sequence goes back. */
  sequenceBase: 'SEQUENCE_BASE',
  /** Optional: set when transactions have no rows. */
  noTransactionRows: 'NO_TRANSACTION_ROWS',
  /** Optional: set when the table of orders has no index of changes. */
  noChangesIndex: 'NO_CHANGES_INDEX',
  /** Optional: a JSON object from event name to meaning, for names without a built-in meaning. */
  eventMeanings: 'EVENT_MEANINGS',
  /** Optional: the acts that need two people, joined by commas. */
  approvals: 'APPROVALS',
  /** Optional: set by local mode, as SAM's does. */
  isLocal: 'AWS_SAM_LOCAL',
  /** `info` or `warn`: whether what went well is logged too. */
  logLevel: 'LOG_LEVEL',
  /** Of every metric and log line; named as by Powertools. */
  metricsNamespace: 'POWERTOOLS_METRICS_NAMESPACE',
  serviceName: 'POWERTOOLS_SERVICE_NAME',
} as const;

export type Variable = (typeof variables)[keyof typeof variables];

export class MissingVariableError extends Error {
  override readonly name = 'MissingVariableError';
  constructor(variable: string) {
    super(
      `The environment variable ${variable} is not set; the stack sets it, so the deployment is incomplete.`,
    );
  }
}

/** The value of an optional variable; `undefined` when it is missing or empty. */
export const optionalVariable = (variable: Variable): string | undefined =>
  process.env[variable] || undefined;

/** The positive integer in an optional variable; `undefined` when it is missing or empty. */
export function optionalCount(variable: Variable): number | undefined {
  const value = optionalVariable(variable);
  if (value === undefined) return undefined;
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new TypeError(`${variable} is "${value}"; expected a whole, positive number.`);
}

/** The value of a variable that must be set; throws at cold start, not at the first event. */
export function requiredVariable(variable: Variable): string {
  const value = optionalVariable(variable);
  if (value === undefined) throw new MissingVariableError(variable);
  return value;
}
