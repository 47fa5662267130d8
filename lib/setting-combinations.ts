import type { Settings } from './configuration.ts';

/** Something that cannot be deployed although each setting by itself is valid. */
interface Rule {
  /** The one to mend. */
  readonly setting: keyof Settings;
  /** The others that it has to do with. */
  readonly besides: readonly (keyof Settings)[];
  readonly isBroken: (settings: Settings) => boolean;
  /** Completes "expected …". */
  readonly expected: string;
}

/** The address that API Gateway gives an API, whatever the partition ends its names with. */
const isDefaultEndpoint = (url: string): boolean =>
  /^[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\./.test(new URL(url).hostname);

const rules: readonly Rule[] = [
  {
    setting: 'paymentServiceBaseUrl',
    besides: ['paymentServiceAuthentication'],
    isBroken: ({ paymentServiceBaseUrl, paymentServiceAuthentication }) =>
      paymentServiceAuthentication === 'oauth' && paymentServiceBaseUrl === undefined,
    expected: 'the address that the OAuth token is for',
  },
  {
    setting: 'webhookDomainName',
    besides: ['webhookCertificateArn', 'webhookTruststoreUri'],
    isBroken: ({ webhookDomainName, webhookCertificateArn, webhookTruststoreUri }) =>
      webhookDomainName === undefined && (webhookCertificateArn ?? webhookTruststoreUri) !== undefined,
    expected: 'the name that webhookCertificateArn and webhookTruststoreUri are for',
  },
  {
    setting: 'webhookCertificateArn',
    besides: ['webhookDomainName', 'webhookTruststoreUri'],
    isBroken: ({ webhookDomainName, webhookCertificateArn, webhookTruststoreUri }) =>
      webhookCertificateArn === undefined && (webhookDomainName ?? webhookTruststoreUri) !== undefined,
    expected: 'the certificate that webhookDomainName is served with',
  },
  {
    setting: 'webhookTruststoreUri',
    besides: ['webhookTruststoreVersion'],
    isBroken: ({ webhookTruststoreUri, webhookTruststoreVersion }) =>
      webhookTruststoreUri === undefined && webhookTruststoreVersion !== undefined,
    expected: 'the trust store that webhookTruststoreVersion is a version of',
  },
  {
    setting: 'webhookTruststoreVersion',
    besides: ['webhookTruststoreUri'],
    isBroken: ({ webhookTruststoreUri, webhookTruststoreVersion }) =>
      webhookTruststoreUri !== undefined && webhookTruststoreVersion === undefined,
    expected: 'the version of webhookTruststoreUri to trust, as a deployment notices no other change of it',
  },
  {
    setting: 'webhookDefaultEndpoint',
    besides: ['webhookTruststoreUri'],
    isBroken: ({ webhookDefaultEndpoint, webhookTruststoreUri }) =>
      webhookDefaultEndpoint && webhookTruststoreUri !== undefined,
    expected: 'false or nothing, as that endpoint asks for no certificate and webhookTruststoreUri wants one',
  },
  {
    setting: 'webhookDefaultEndpoint',
    besides: ['webhookDomainName', 'webhookTruststoreUri'],
    isBroken: ({ webhookDefaultEndpoint, webhookDomainName, webhookTruststoreUri }) =>
      !webhookDefaultEndpoint && webhookDomainName === undefined && webhookTruststoreUri === undefined,
    expected: 'true, as without webhookDomainName the API has no other address',
  },
  {
    // The audit would find it registered, and nothing would answer there.
    setting: 'webhookUrl',
    besides: ['webhookDefaultEndpoint', 'webhookTruststoreUri'],
    isBroken: ({ webhookUrl, webhookDefaultEndpoint }) =>
      !webhookDefaultEndpoint && webhookUrl !== undefined && isDefaultEndpoint(webhookUrl),
    expected: 'a URL that answers: webhookDefaultEndpoint is switched off, or a trust store does it',
  },
];

export interface Contradiction {
  readonly setting: keyof Settings;
  readonly given: unknown;
  readonly expected: string;
}

/**
 * The settings that others rule out. Nothing is said about those in `wrong`: what they should have been is
 * not known.
 */
export function contradictions(settings: Settings, wrong: ReadonlySet<string>): readonly Contradiction[] {
  return rules
    .filter(({ setting, besides }) => ![setting, ...besides].some((name) => wrong.has(name)))
    .filter(({ isBroken }) => isBroken(settings))
    .map(({ setting, expected }) => ({ setting, given: settings[setting], expected }));
}
