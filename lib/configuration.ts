import { ConfigurationError } from './configuration-error.ts';
import { contradictions } from './setting-combinations.ts';
import * as kinds from './setting-kinds.ts';

/**
 * What may differ between environments; `settings` below says what each one takes and what it is without it.
 */
export interface Settings {
  /** The header that carries the signature. */
  readonly signatureHeader: string;
  /** The payment service's base address; without it nothing audits whether the webhook is registered. */
  readonly paymentServiceBaseUrl: string | undefined;
  /** How the payment service is asked (API document 5): with the private key, or with an OAuth token. */
  readonly paymentServiceAuthentication: 'private-key' | 'oauth';
  /** What is registered, where something else, such as a CDN, stands before the API and its domain. */
  readonly webhookUrl: string | undefined;
  /** A name of the merchant's own for the webhook API; another one replaces it, so move the webhook first. */
  readonly webhookDomainName: string | undefined;
  /** Its certificate, in the stack's own region; with a trust store it has to be issued by ACM, public. */
  readonly webhookCertificateArn: string | undefined;
  /** Who may connect: the authorities, in PEM, that sign the certificates of callers (mutual TLS). */
  readonly webhookTruststoreUri: string | undefined;
  /** Pins what is trusted: without it a changed trust store would be neither noticed nor rolled back. */
  readonly webhookTruststoreVersion: string | undefined;
  /**
   * Whether the API also answers at the address that AWS gave it, where nobody is asked for a certificate:
   * never with a trust store. First the domain, then the registration, and this (or a trust store) last.
   */
  readonly webhookDefaultEndpoint: boolean;
  /** What the webhook has to be registered for. */
  readonly requiredEvents: readonly string[];
  /** Whether data outlives the stack; `false` is for environments that are thrown away. */
  readonly keepData: boolean;
  readonly webhookRequestsPerSecond: number;
  readonly webhookBurst: number;
  readonly queryRequestsPerSecond: number;
  readonly queryBurst: number;
  /** How many consumers the queue may run at one time. */
  readonly consumerConcurrencyMax: number;
  readonly logRetentionDays: number;
  /** Without it events are kept for ever. */
  readonly eventRetentionDays: number | undefined;
  /** How long what the order feed published can be replayed. */
  readonly feedArchiveDays: number;
  /** Without it alarms reach the topic and nobody else. */
  readonly alarmEmail: string | undefined;
  /** The role of those who redrive dead letters; with it the queue refuses every other sender. */
  readonly operatorRoleArn: string | undefined;
}

/** Everything that one deployment is made from. */
export interface Configuration extends Settings {
  readonly environmentName: string;
}

/** What a setting takes, and what it is when nothing is given. */
type Setting<T> = readonly [kind: kinds.SettingKind<NonNullable<T>>, otherwise: T];

const requestRate = kinds.wholeNumber(1, 1_000_000);

/** The retention periods that CloudWatch Logs knows. */
const logRetention = kinds.oneOf([
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
]);

const settings: { readonly [Name in keyof Settings]: Setting<Settings[Name]> } = {
  signatureHeader: [kinds.headerName, 'x-service-signature'],
  paymentServiceBaseUrl: [kinds.serviceOrigin, undefined],
  paymentServiceAuthentication: [kinds.choice(['private-key', 'oauth']), 'private-key'],
  webhookUrl: [kinds.httpsUrl, undefined],
  webhookDomainName: [kinds.hostName, undefined],
  webhookCertificateArn: [kinds.certificateArn, undefined],
  webhookTruststoreUri: [kinds.objectUri, undefined],
  webhookTruststoreVersion: [kinds.objectVersion, undefined],
  webhookDefaultEndpoint: [kinds.flag, true],
  requiredEvents: [kinds.eventNames, ['transaction.paid', 'transaction.refunded']],
  keepData: [kinds.flag, true],
  webhookRequestsPerSecond: [requestRate, 1_000],
  webhookBurst: [requestRate, 2_000],
  queryRequestsPerSecond: [requestRate, 100],
  queryBurst: [requestRate, 200],
  consumerConcurrencyMax: [kinds.wholeNumber(2, 1_000), 50],
  logRetentionDays: [logRetention, 30],
  eventRetentionDays: [kinds.wholeNumber(1, 36_500), undefined],
  feedArchiveDays: [kinds.wholeNumber(1, 36_500), 30],
  alarmEmail: [kinds.emailAddress, undefined],
  operatorRoleArn: [kinds.roleArn, undefined],
};

/**
 * The configuration in a CDK context. A direct `-c setting=value` wins over the
 * environment's entry in `environments`, which wins over the default. Throws a
 * `ConfigurationError` that lists everything that is wrong.
 */
export function readConfiguration(lookup: (key: string) => unknown): Configuration {
  const problems: string[] = [];
  const wrong = new Set<string>();
  const report = (setting: string, given: unknown, expected: string): void => {
    wrong.add(setting);
    problems.push(`${setting}: given ${JSON.stringify(given) ?? 'nothing'}, expected ${expected}.`);
  };

  const givenName = lookup('environmentName');
  const environmentName = kinds.environmentName.parse(givenName);
  if (environmentName === undefined) report('environmentName', givenName, kinds.environmentName.expected);
  const entry = readEntry(lookup('environments'), environmentName ?? '', report);

  const read = <Name extends keyof Settings>(
    name: Name,
    otherwise: Settings[Name] = settings[name][1],
  ): Settings[Name] => {
    const [kind] = settings[name];
    const direct = lookup(name);
    const given = direct === undefined ? entry[name] : direct;
    if (given === undefined) return otherwise;
    const value = kind.parse(given);
    if (value === undefined) report(name, given, kind.expected);
    return value ?? otherwise;
  };

  const webhookTruststoreUri = read('webhookTruststoreUri');
  const configuration: Configuration = {
    environmentName: environmentName ?? '',
    signatureHeader: read('signatureHeader'),
    paymentServiceBaseUrl: read('paymentServiceBaseUrl'),
    paymentServiceAuthentication: read('paymentServiceAuthentication'),
    webhookUrl: read('webhookUrl'),
    webhookDomainName: read('webhookDomainName'),
    webhookCertificateArn: read('webhookCertificateArn'),
    webhookTruststoreUri,
    webhookTruststoreVersion: read('webhookTruststoreVersion'),
    webhookDefaultEndpoint: read('webhookDefaultEndpoint', webhookTruststoreUri === undefined),
    requiredEvents: read('requiredEvents'),
    keepData: read('keepData'),
    webhookRequestsPerSecond: read('webhookRequestsPerSecond'),
    webhookBurst: read('webhookBurst'),
    queryRequestsPerSecond: read('queryRequestsPerSecond'),
    queryBurst: read('queryBurst'),
    consumerConcurrencyMax: read('consumerConcurrencyMax'),
    logRetentionDays: read('logRetentionDays'),
    eventRetentionDays: read('eventRetentionDays'),
    feedArchiveDays: read('feedArchiveDays'),
    alarmEmail: read('alarmEmail'),
    operatorRoleArn: read('operatorRoleArn'),
  };
  for (const { setting, given, expected } of contradictions(configuration, wrong)) {
    report(setting, given, expected);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configuration;
}

/**
 * Context whose name is a plain word is meant for us: CDK's own has `/`, `:` or `-` in its names. A misspelt
 * `-c` would otherwise deploy something else than what was said, or somewhere else. Throws a
 * `ConfigurationError` that names it.
 */
export function refuseUnknownContext(names: readonly string[]): void {
  const known = ['environmentName', 'environments', ...Object.keys(settings)];
  const unknown = names.filter((name) => /^\w+$/.test(name) && !known.includes(name));
  if (unknown.length === 0) return;
  const expected = known.join(', ');
  throw new ConfigurationError(unknown.map((name) => `${name}: no setting; expected one of ${expected}.`));
}

type Report = (setting: string, given: unknown, expected: string) => void;

/** The environment's entry; one that is not listed has none and takes the defaults. */
function readEntry(environments: unknown, environmentName: string, report: Report): Record<string, unknown> {
  if (environments === undefined) return {};
  if (!isObject(environments)) {
    report('environments', environments, 'an object that maps environment names to their settings');
    return {};
  }
  if (!Object.hasOwn(environments, environmentName)) return {};
  const entry = environments[environmentName];
  if (!isObject(entry)) {
    report(`environments.${environmentName}`, entry, 'an object with settings');
    return {};
  }
  for (const [name, given] of Object.entries(entry)) {
    if (!Object.hasOwn(settings, name)) {
      const known = Object.keys(settings).join(', ');
      report(`environments.${environmentName}.${name}`, given, `one of the settings ${known}`);
    }
  }
  return entry;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
