import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ITable, TableClass } from 'aws-cdk-lib/aws-dynamodb';
import type { IInterfaceVpcEndpoint, ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { ActName } from '../lambdas/contract/act-names.ts';
import type { Meaning } from '../lambdas/domain/assumptions.ts';
import type { RolloutName } from './rollout-names.ts';

/** A custom domain for the webhook API. */
export interface PayhooksDomain {
  /** Such as `hooks.example.com`. */
  readonly domainName: string;
  /** In the region of the stack. */
  readonly certificate: ICertificate;
  /**
   * Mutual TLS: the object with the authorities, in PEM, and the version of it to trust. It closes the AWS
   * address of the API.
   */
  readonly truststore?: { readonly bucket: IBucket; readonly key: string; readonly version: string };
}

/**
 * None is required. Each is a setting of `docs/settings.md`, which has the limits and the reasons; those that
 * are resources take them as CDK has them, so that their values may be known only when they are deployed.
 */
export interface PayhooksProps {
  /**
   * What the bus, the archive, the alarms, the parameters and the namespace of the metrics are called: a
   * letter, then up to 47 letters, digits and -. No other deployment of the account and region may have it.
   * By default the name of the stack, for a construct with the id `Default` in it, or else made from the
   * path; set it if the construct may move.
   */
  readonly deploymentName?: string;

  /** The header that carries the signature. Default: `x-service-signature`. */
  readonly signatureHeader?: string;
  /** The payment service's API, without `/api/v2`. With it, deliveries are audited. */
  readonly paymentServiceBaseUrl?: string;
  /** Default: `private-key`. */
  readonly paymentServiceAuthentication?: 'private-key' | 'oauth';
  /** The events that the webhook must be registered for. Default: paid and refunded. */
  readonly requiredEvents?: readonly string[];
  /** What other event names mean for an order. */
  readonly eventMeanings?: Readonly<Record<string, Meaning>>;

  /** The registered URL, if a CDN or a proxy is in front of the API. */
  readonly webhookUrl?: string;
  readonly webhookDomain?: PayhooksDomain;
  /** Default: 1,000; twice as many in a burst. */
  readonly webhookRequestsPerSecond?: number;
  /** Concurrent consumers. Default: 50. */
  readonly consumerConcurrencyMax?: number;
  /** How long Lambda gathers events, then changes, into a batch: at most 10 seconds. Default: not at all. */
  readonly batchWindow?: Duration;
  readonly verifierReservedConcurrency?: number;
  readonly verifierProvisionedConcurrency?: number;
  /** A configuration of CodeDeploy, such as `LambdaCanary10Percent5Minutes`. Default: all at once. */
  readonly rollout?: RolloutName;

  /** Every function runs in it. Default: no VPC. */
  readonly vpc?: IVpc;
  /** At least two. Default: the private subnets. */
  readonly vpcSubnets?: SubnetSelection;
  /** Default: a new one, without inbound rules. */
  readonly securityGroups?: readonly ISecurityGroup[];
  /** Of `execute-api`: order query and operations API then respond only through them. */
  readonly privateEndpoints?: readonly IInterfaceVpcEndpoint[];

  /** `DESTROY` is for a throw-away deployment: no retention, no deletion protection. Default: `RETAIN`. */
  readonly removalPolicy?: RemovalPolicy;
  /** Each saves a write when it is `false`, and something is lost (`docs/settings.md`). Default: `true`. */
  readonly changesIndex?: boolean;
  readonly transactionRows?: boolean;
  /** Existing tables, such as restored ones; that of orders has a stream. */
  readonly eventsTable?: ITable;
  readonly ordersTable?: ITable;
  /** Added to the sequence of every order; required with an existing table. */
  readonly sequenceBase?: number;
  /** Existing secrets, such as of `Secret.fromSecretCompleteArn`. */
  readonly keySecret?: ISecret;
  readonly tokenSecret?: ISecret;
  readonly sealSecret?: ISecret;
  /** Of everything that is stored; `own` makes one. Default: keys of AWS. */
  readonly encryptionKey?: IKey | 'own';
  /** How long bodies are kept, at least 14 days. Default: forever. */
  readonly eventRetention?: Duration;
  /** Backs up both tables every day into a locked vault. At least 7 days. Default: no backups. */
  readonly backupRetention?: Duration;
  readonly eventsTableClass?: TableClass;

  /** Default: `warn`. */
  readonly logLevel?: 'warn' | 'info';
  /** Default: a month. */
  readonly logRetention?: RetentionDays;
  /** Of the logs that show who read what. Default: a year. */
  readonly accessLogRetention?: RetentionDays;
  /** Of the log that proves acts. Default: ten years. */
  readonly evidenceRetention?: RetentionDays;

  /** Not with `alarmTopic`. */
  readonly alarmEmail?: string;
  /** Default: a topic of the construct. */
  readonly alarmTopic?: ITopic;
  /** Of the alarms that need no one at night. Default: the same. */
  readonly ticketTopic?: ITopic;
  /** Where your on-call reads `docs/runbook.md`. */
  readonly runbookUrl?: string;
  /** An alarm fires when no webhook was accepted for so long: whole hours, at most seven days. */
  readonly expectWebhooksWithin?: Duration;
  /** Default: 100,000. */
  readonly webhooksPerHourMax?: number;
  /** Called every five minutes while all is well. */
  readonly deadMansSwitchUrl?: string;

  /** The acts that need two people. Default: none. */
  readonly approvals?: readonly ActName[];
  /** The role that redrives dead letters, and the one that changes tables by hand: both or none. */
  readonly operatorRole?: IRole;
  readonly tableAdminRole?: IRole;
}
