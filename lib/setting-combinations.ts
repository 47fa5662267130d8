import type { SettingName, Settings } from './settings.ts';

/** A combination that cannot be deployed although each setting alone is valid. */
interface Rule {
  /** The setting to fix. */
  readonly setting: SettingName;
  /** The other settings of the rule. */
  readonly others: readonly SettingName[];
  readonly isBroken: (settings: Settings) => boolean;
  /** Completes "expected …". */
  readonly expected: string;
}

/** The address that API Gateway assigns to an API, in any partition. */
const isDefaultEndpoint = (url: string): boolean =>
  /^[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\./.test(new URL(url).hostname);

const rules: readonly Rule[] = [
  {
    setting: 'paymentServiceBaseUrl',
    others: ['paymentServiceAuthentication'],
    isBroken: ({ paymentServiceBaseUrl, paymentServiceAuthentication }) =>
      paymentServiceAuthentication === 'oauth' && paymentServiceBaseUrl === undefined,
    expected: 'the address that the OAuth token is for',
  },
  {
    setting: 'webhookDomainName',
    others: ['webhookCertificateArn', 'webhookTruststoreUri'],
    isBroken: ({ webhookDomainName, webhookCertificateArn, webhookTruststoreUri }) =>
      webhookDomainName === undefined && (webhookCertificateArn ?? webhookTruststoreUri) !== undefined,
    expected: 'the name that webhookCertificateArn and webhookTruststoreUri are for',
  },
  {
    setting: 'webhookCertificateArn',
    others: ['webhookDomainName', 'webhookTruststoreUri'],
    isBroken: ({ webhookDomainName, webhookCertificateArn, webhookTruststoreUri }) =>
      webhookCertificateArn === undefined && (webhookDomainName ?? webhookTruststoreUri) !== undefined,
    expected: 'the certificate that webhookDomainName is served with',
  },
  {
    setting: 'webhookTruststoreUri',
    others: ['webhookTruststoreVersion'],
    isBroken: ({ webhookTruststoreUri, webhookTruststoreVersion }) =>
      webhookTruststoreUri === undefined && webhookTruststoreVersion !== undefined,
    expected: 'the trust store that webhookTruststoreVersion is a version of',
  },
  {
    setting: 'webhookTruststoreVersion',
    others: ['webhookTruststoreUri'],
    isBroken: ({ webhookTruststoreUri, webhookTruststoreVersion }) =>
      webhookTruststoreUri !== undefined && webhookTruststoreVersion === undefined,
    expected:
      'the version of webhookTruststoreUri to trust, because a deployment notices no other change of it',
  },
  {
    setting: 'webhookDefaultEndpoint',
    others: ['webhookTruststoreUri'],
    isBroken: ({ webhookDefaultEndpoint, webhookTruststoreUri }) =>
      webhookDefaultEndpoint === true && webhookTruststoreUri !== undefined,
    expected:
      'false or nothing, because that endpoint accepts callers without the certificate of a trust store',
  },
  {
    setting: 'webhookDefaultEndpoint',
    others: ['webhookDomainName', 'webhookTruststoreUri'],
    isBroken: ({ webhookDefaultEndpoint, webhookDomainName, webhookTruststoreUri }) =>
      !webhookDefaultEndpoint && webhookDomainName === undefined && webhookTruststoreUri === undefined,
    expected: 'true, because without webhookDomainName the API has no other address',
  },
  {
    // The audit would find it registered, but nothing would respond there.
    setting: 'webhookUrl',
    others: ['webhookDefaultEndpoint', 'webhookTruststoreUri'],
    isBroken: ({ webhookUrl, webhookDefaultEndpoint }) =>
      !webhookDefaultEndpoint && webhookUrl !== undefined && isDefaultEndpoint(webhookUrl),
    expected: 'a URL that responds: webhookDefaultEndpoint or a trust store has switched this one off',
  },
];

export interface Contradiction {
  readonly setting: SettingName;
  readonly given: unknown;
  readonly expected: string;
}

/**
 * The settings that other settings rule out. Rules about settings in `wrong` are skipped: their intended
 * value is unknown.
 */
export function contradictions(settings: Settings, wrong: ReadonlySet<string>): readonly Contradiction[] {
  return rules
    .filter(({ setting, others }) => ![setting, ...others].some((name) => wrong.has(name)))
    .filter(({ isBroken }) => isBroken(settings))
    .map(({ setting, expected }) => ({ setting, given: settings[setting], expected }));
}
