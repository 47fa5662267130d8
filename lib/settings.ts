import * as v from 'valibot';
import { heartbeatHeader } from '../lambdas/contract/heartbeat.ts';
import { batchWindowSecondsMax } from '../lambdas/contract/limits.ts';
import { eventMeaningsSchema } from './event-meanings.ts';
import { rolloutNames } from './rollout-names.ts';
import {
  acts,
  bodyDays,
  choice,
  eventNames,
  flag,
  httpsUrl,
  keyArn,
  logRetention,
  reference,
  requestsPerSecond,
  resourceIds,
  roleArn,
  runbookUrl,
  secretArn,
  sequenceBaseMax,
  serviceOrigin,
  silence,
  tableName,
  tableStreamArn,
  text,
  topicArn,
  wholeNumber,
} from './setting-values.ts';

/** What may differ between environments: the values that each setting accepts, and its default. */
export const settingSchemas = {
  /**
   * The header that carries the signature: an HTTP token (RFC 9110, 5.6.2), in lower case as HTTP APIs pass
   * it.
   */
  signatureHeader: v.optional(
    v.pipe(
      text(
        "the name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~, without a colon",
        /^[!#$%&'*+.^_`|~\w-]{1,100}$/,
      ),
      v.toLowerCase(),
      v.notValue(heartbeatHeader.name, 'another header: this one marks a heartbeat'),
    ),
    'x-service-signature',
  ),
  /** The payment service's base address; without it the registration of the webhook is not audited. */
  paymentServiceBaseUrl: v.optional(serviceOrigin),
  /** How calls to the payment service are authenticated (API document 5). */
  paymentServiceAuthentication: v.optional(choice(['private-key', 'oauth']), 'private-key'),
  /** The registered URL, when something else, such as a CDN, is in front of the API and its domain. */
  webhookUrl: v.optional(httpsUrl),
  /** A custom domain for the webhook API. A new name replaces the old one, so move the webhook first. */
  webhookDomainName: v.optional(
    reference(
      'a host name in lower case, such as hooks.example.com, without scheme, port, wildcard or final dot',
      // At least two labels, and the last starts with a letter: ACM has no certificates for IP addresses.
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    ),
  ),
  /**
   * Its certificate, in the region of the stack; with a trust store it must be a public one issued by ACM.
   */
  webhookCertificateArn: v.optional(
    reference(
      'the ARN of a certificate of AWS Certificate Manager',
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]{1,100}$/,
    ),
  ),
  /**
   * Mutual TLS: the authorities, in PEM, that sign the certificates of callers. It closes the AWS address of
   * the API, which would require no certificate, so move the registration to the domain first.
   */
  webhookTruststoreUri: v.optional(
    reference(
      'an S3 object, such as s3://bucket/key',
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/[\w!.*'()/-]{1,900}$/,
    ),
  ),
  /** Pins the trust store: without it a change would be neither noticed nor rolled back. */
  webhookTruststoreVersion: v.optional(
    reference(
      // A bucket without versioning has one version, `null`, which changes with its object.
      'the version id of an S3 object in a bucket with versioning',
      /^(?!null$)[\w.+/=-]{1,1024}$/,
    ),
  ),
  /** The events that the webhook has to be registered for. */
  requiredEvents: v.optional(eventNames, ['transaction.paid', 'transaction.refunded']),
  /** What event names mean for the money of an order, in addition to the built-in meanings or instead. */
  eventMeanings: v.optional(eventMeaningsSchema),
  /** The `--qualifier` of the `cdk bootstrap` whose roles deploy this environment. */
  bootstrapQualifier: v.optional(text('1 to 10 lower-case letters and digits', /^[a-z0-9]{1,10}$/)),
  /** Whether data outlives the stack; `false` is for throw-away environments. */
  keepData: v.optional(flag, true),
  /** Whether events of one transaction find each other, so that one without an order id finds its order. */
  transactionRows: v.optional(flag, true),
  /** Whether changes of orders have an index, which `GET /orders` and the comparisons of the audit read. */
  changesIndex: v.optional(flag, true),
  /** An existing table of events that the stack uses instead of its own, such as a restored one. */
  eventsTableName: v.optional(tableName),
  /** The same for the table of orders; the ARN of its stream also names the table. */
  ordersTableStreamArn: v.optional(tableStreamArn),
  /**
   * Added to the sequence of every order that readers see: larger with each restored table, so that no
   * sequence goes back. By default 0, and required with an adopted table.
   */
  sequenceBase: v.optional(wholeNumber(0, sequenceBaseMax)),
  /** An existing secret with the private keys, such as one that a deleted stack left. */
  keySecretArn: v.optional(secretArn),
  /** The same for the OAuth token. */
  tokenSecretArn: v.optional(secretArn),
  /** The same for the keys of seals. */
  sealSecretArn: v.optional(secretArn),
  webhookRequestsPerSecond: v.optional(requestsPerSecond, 1_000),
  /** The number of consumers that the queue may run at one time. */
  consumerConcurrencyMax: v.optional(wholeNumber(2, 1_000), 50),
  /** How long Lambda gathers a batch of events, then one of changes: fewer invocations for this latency. */
  batchWindowSeconds: v.optional(wholeNumber(0, batchWindowSecondsMax), 0),
  /** The part of the account's concurrency that no other function can take from webhooks. */
  verifierReservedConcurrency: v.optional(wholeNumber(1, 100_000)),
  /** Environments of the verifier that are always ready: no cold start for as many webhooks at one time. */
  verifierProvisionedConcurrency: v.optional(wholeNumber(1, 100_000)),
  /**
   * How CodeDeploy moves webhooks and their queue to a new version; it goes back when an alarm fires. Without
   * it, a deployment moves all at once.
   */
  rollout: v.optional(choice(rolloutNames)),
  /** Existing subnets that every function runs in; without them the functions are in no VPC. */
  functionSubnetIds: v.optional(resourceIds('subnet', 2, 16)),
  /**
   * VPC endpoints of `execute-api`: order query and operations API are then private, and respond only there.
   */
  privateEndpointIds: v.optional(resourceIds('vpce', 1, 5)),
  /** The security groups of the functions there. They need no inbound rule. */
  functionSecurityGroupIds: v.optional(resourceIds('sg', 1, 5)),
  /** `info` also logs what went well, with a line or more for every event, and Lambda's own lines. */
  logLevel: v.optional(choice(['warn', 'info']), 'warn'),
  logRetentionDays: v.optional(logRetention, 30),
  /** For the access logs of the order query and the operations API, which show who read customer data. */
  accessLogRetentionDays: v.optional(logRetention, 365),
  /** For the log of the operations API, whose lines prove the acts of operators (ADR 24). */
  evidenceRetentionDays: v.optional(logRetention, 3_653),
  /** Without it the bodies of events are kept forever. */
  eventRetentionDays: v.optional(bodyDays),
  /** Backs up both tables every day into a locked vault, and keeps each backup for so many days. */
  backupRetentionDays: v.optional(wholeNumber(7, 36_500)),
  /**
   * The class of the table of events: `infrequent-access` stores for less and writes for more, which pays
   * after some months (`docs/cost.md`). AWS changes it twice in 30 days at most.
   */
  eventsTableClass: v.optional(choice(['standard', 'infrequent-access']), 'standard'),
  /**
   * An alarm fires when no webhook was accepted for so many hours; without it, silence is normal. Sandbox
   * events count, heartbeats do not.
   */
  expectWebhooksWithin: v.optional(silence),
  /** An alarm fires above so many requests to the webhook in an hour, such as of one sent again and again. */
  webhooksPerHourMax: v.optional(wholeNumber(1, 1_000_000_000), 100_000),
  /** The heartbeat calls it while all is well: a service outside AWS that raises an alarm when calls end. */
  deadMansSwitchUrl: v.optional(httpsUrl),
  /** An existing topic that alarms notify instead of one of the stack. */
  alarmTopicArn: v.optional(topicArn),
  /** An existing topic for the alarms that need no one at night: those whose severity is not `now`. */
  ticketTopicArn: v.optional(topicArn),
  /** Without it alarms only reach the topic. */
  alarmEmail: v.optional(reference('an e-mail address', /^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  /** Where your on-call reads `docs/runbook.md`; by default alarms name its path in the repository. */
  runbookUrl: v.optional(runbookUrl),
  /** The KMS key of everything that is stored: `own` for one of the stack; without it, keys of AWS. */
  encryptionKeyArn: v.optional(keyArn),
  /** The acts that another identity must approve. */
  approvals: v.optional(acts, []),
  /** The role that redrives dead letters; with it the queues refuse every other sender and reader. */
  operatorRoleArn: v.optional(roleArn),
  /** The role that changes tables and deletes rows by hand; with it the tables refuse it to all others. */
  tableAdminRoleArn: v.optional(roleArn),
};

export type SettingName = keyof typeof settingSchemas;
export type Settings = { readonly [Name in SettingName]: v.InferOutput<(typeof settingSchemas)[Name]> };
