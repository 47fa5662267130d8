import * as v from 'valibot';
import {
  changesSettleSecondsDefault,
  changesSettleSecondsMax,
  changesSettleSecondsMin,
  deadLetterRetentionDays,
  requiredEventsMax,
} from '../lambdas/contract/limits.ts';
import { eventMeaningsSchema, eventNamePattern } from './event-meanings.ts';

/** Every schema has one message, which completes "expected …". */
const text = (expected: string, pattern: RegExp) => v.pipe(v.string(expected), v.regex(pattern, expected));

const choice = <const Value extends string>(values: readonly Value[]) =>
  v.picklist(values, `one of ${values.join(', ')}`);

/** cdk.json holds booleans and numbers; `-c setting=value` passes them as text. */
const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'true or false'),
  v.transform((given) => String(given) === 'true'),
);
const number = (expected: string, isValid: (value: number) => boolean) =>
  v.pipe(
    v.union([v.number(), v.string()], expected),
    v.transform((given) =>
      typeof given === 'number' || /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN,
    ),
    v.number(expected),
    v.check(isValid, expected),
  );
const wholeNumber = (from: number, to: number, reason = '') =>
  number(
    `a whole number from ${from} to ${to}${reason}`,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  );

/** An address that `normalise` accepts, in its normal form. */
const address = (expected: string, normalise: (url: URL, given: string) => string | undefined) =>
  v.pipe(
    v.string(expected),
    v.check((given) => URL.canParse(given), expected),
    v.transform((given) => normalise(new URL(given), given)),
    v.string(expected),
  );

/** Plain http is only for a payment service that is simulated on this machine. */
const serviceOrigin = address(
  'an https address without path, query or credentials, such as https://api.example.com',
  ({ protocol, hostname, origin }, given) => {
    const isPrivate = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1');
    return isPrivate && (given === origin || given === `${origin}/`) ? origin : undefined;
  },
);
const httpsUrl = address(
  'an https URL without credentials, such as https://hooks.example.com/webhooks/payments',
  ({ protocol, username, password, hash, href }) =>
    protocol === 'https:' && username + password + hash === '' ? href : undefined,
);

const expectedEvents = `1 to ${requiredEventsMax} event names, such as transaction.paid,transaction.refunded`;
const eventNames = v.pipe(
  v.union([v.string(), v.array(v.unknown())], expectedEvents),
  v.transform((given) => (typeof given === 'string' ? given.split(',') : given)),
  v.array(text(expectedEvents, eventNamePattern)),
  v.minLength(1, expectedEvents),
  v.maxLength(requiredEventsMax, expectedEvents),
  v.transform((names) => [...new Set(names)]),
);

const requestsPerSecond = wholeNumber(1, 1_000_000);
const retentionDays = wholeNumber(1, 36_500);
/** A body is stored before its event, and a redrive may store the event as late as dead letters are kept. */
const bodyDays = wholeNumber(
  deadLetterRetentionDays,
  36_500,
  ', because an event that waits in the dead-letter queue must still find its body',
);
/** The retention periods of CloudWatch Logs. */
const logDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

export const environmentNameSchema = text(
  '1 to 30 lower-case letters, digits and hyphens, starting with a letter',
  /^[a-z][a-z0-9-]{0,29}$/,
);

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
    text(
      'a host name in lower case, such as hooks.example.com, without scheme, port, wildcard or final dot',
      // At least two labels, and the last starts with a letter: ACM has no certificates for IP addresses.
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    ),
  ),
  /**
   * Its certificate, in the region of the stack; with a trust store it must be a public one issued by ACM.
   */
  webhookCertificateArn: v.optional(
    text(
      'the ARN of a certificate of AWS Certificate Manager',
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]{1,100}$/,
    ),
  ),
  /** Mutual TLS: the authorities, in PEM, that sign the certificates of callers. */
  webhookTruststoreUri: v.optional(
    text(
      'an S3 object, such as s3://bucket/key',
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/[\w!.*'()/-]{1,900}$/,
    ),
  ),
  /** Pins the trust store: without it a change would be neither noticed nor rolled back. */
  webhookTruststoreVersion: v.optional(
    text(
      // A bucket without versioning has one version, `null`, which changes with its object.
      'the version id of an S3 object in a bucket with versioning',
      /^(?!null$)[\w.+/=-]{1,1024}$/,
    ),
  ),
  /**
   * Whether the API also responds at its AWS address, which requires no client certificate. By default true
   * without a trust store; with one it must be false. Change the domain first, then the registration, then
   * this.
   */
  webhookDefaultEndpoint: v.optional(flag),
  /** The events that the webhook has to be registered for. */
  requiredEvents: v.optional(eventNames, ['transaction.paid', 'transaction.refunded']),
  /** What event names mean for the money of an order, in addition to the built-in meanings or instead. */
  eventMeanings: v.optional(eventMeaningsSchema),
  /** Whether data outlives the stack; `false` is for throw-away environments. */
  keepData: v.optional(flag, true),
  webhookRequestsPerSecond: v.optional(requestsPerSecond, 1_000),
  webhookBurst: v.optional(requestsPerSecond, 2_000),
  queryRequestsPerSecond: v.optional(requestsPerSecond, 100),
  queryBurst: v.optional(requestsPerSecond, 200),
  /** The number of consumers that the queue may run at one time. */
  consumerConcurrencyMax: v.optional(wholeNumber(2, 1_000), 50),
  logRetentionDays: v.optional(
    number(`one of ${logDays.join(', ')}`, (value) => logDays.includes(value)),
    30,
  ),
  /** Without it the bodies of events are kept forever. */
  eventRetentionDays: v.optional(bodyDays),
  /** The time until a change is certain to be in the list of orders; an alarm watches it. */
  changesSettleSeconds: v.optional(
    wholeNumber(changesSettleSecondsMin, changesSettleSecondsMax),
    changesSettleSecondsDefault,
  ),
  /** How long the events of the order feed can be replayed. */
  feedArchiveDays: v.optional(retentionDays, 30),
  /** Without it alarms only reach the topic. */
  alarmEmail: v.optional(text('an e-mail address', /^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  /** The role that redrives dead letters; with it the queues refuse every other sender and reader. */
  operatorRoleArn: v.optional(
    text(
      'the ARN of an IAM role (an asterisk stands for any characters)',
      /^arn:aws[a-z-]*:iam::(\d{12}|\*):role\/[\w+=,.@*/-]+$/,
    ),
  ),
};

export type SettingName = keyof typeof settingSchemas;
export type Settings = { readonly [Name in SettingName]: v.InferOutput<(typeof settingSchemas)[Name]> };
