import { Token } from 'aws-cdk-lib';
import type { SettingName, Settings } from './settings.ts';

/** Where a deployment goes, as far as its shell knows. */
export interface DeploymentTarget {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/** A combination that cannot be deployed although each setting alone is valid. */
interface Rule {
  /** The setting to fix. */
  readonly setting: SettingName;
  /** The other settings of the rule. */
  readonly others: readonly SettingName[];
  readonly isBroken: (settings: Settings, target: DeploymentTarget) => boolean;
  /** Completes "expected …". */
  readonly expected: string;
}

/** A setting that must be given with any of the others. */
const required = (setting: SettingName, others: readonly SettingName[], expected: string): Rule => ({
  ...{ setting, others, expected },
  isBroken: (settings) =>
    settings[setting] === undefined && others.some((other) => settings[other] !== undefined),
});

/** Two settings that must not have the same value. */
const different = (setting: SettingName, other: SettingName, expected: string): Rule => ({
  ...{ setting, others: [other], expected },
  isBroken: (settings) => settings[setting] !== undefined && settings[setting] === settings[other],
});

/** The address that API Gateway assigns to an API, in any partition. */
const isDefaultEndpoint = (url: string): boolean =>
  !Token.isUnresolved(url) && /^[a-z0-9]+\.execute-api\.[a-z0-9-]+\.amazonaws\./.test(new URL(url).hostname);

/** The partition, the region and the account in an ARN, unless only the deployment knows it. */
function placeOf(arn: string | undefined) {
  if (arn === undefined || arn === 'own' || Token.isUnresolved(arn)) return undefined;
  const [, partition, , region, account] = arn.split(':');
  return { partition, region, account };
}

const adoptedArns = [
  ...(['ordersTableStreamArn', 'keySecretArn', 'tokenSecretArn', 'sealSecretArn'] as const),
  ...(['encryptionKeyArn', 'webhookCertificateArn'] as const),
] as const;

/** Functions reach an adopted resource only in the place of their stack. */
const adoptionRules = adoptedArns.map((setting): Rule => {
  const others = adoptedArns.slice(0, adoptedArns.indexOf(setting));
  return {
    setting,
    others,
    isBroken: (settings, { account, region }) => {
      const place = placeOf(settings[setting]);
      if (place === undefined) return false;
      const isElsewhere = (other: string | undefined): boolean =>
        JSON.stringify(placeOf(other) ?? place) !== JSON.stringify(place);
      return (
        (account ?? place.account) !== place.account ||
        (region ?? place.region) !== place.region ||
        others.some((other) => isElsewhere(settings[other]))
      );
    },
    expected: 'an ARN in the account and the region of the deployment and of the other adopted resources',
  };
});

const rules: readonly Rule[] = [
  ...adoptionRules,
  {
    setting: 'ordersTableStreamArn',
    others: ['eventsTableName'],
    isBroken: ({ eventsTableName, ordersTableStreamArn = '' }) =>
      ordersTableStreamArn.includes(`:table/${eventsTableName}/`),
    expected: 'another table than that of eventsTableName',
  },
  // A restored table has earlier rows, and with only the events adopted, the orders may start anew.
  required(
    'sequenceBase',
    ['eventsTableName', 'ordersTableStreamArn'],
    'a number with eventsTableName or ordersTableStreamArn, because order systems ignore an order whose ' +
      'sequence goes back, as it would with the earlier rows of a restored table. ' +
      'The restore command prints it: the value before (0 if there was none) plus 1,000,000,000',
  ),
  different('tokenSecretArn', 'keySecretArn', 'another secret than keySecretArn'),
  different('sealSecretArn', 'keySecretArn', 'another secret than keySecretArn'),
  different('sealSecretArn', 'tokenSecretArn', 'another secret than tokenSecretArn'),
  {
    setting: 'tokenSecretArn',
    others: ['paymentServiceAuthentication'],
    isBroken: ({ tokenSecretArn, paymentServiceAuthentication }) =>
      tokenSecretArn !== undefined && paymentServiceAuthentication !== 'oauth',
    expected: 'nothing, because only the paymentServiceAuthentication oauth uses a token',
  },
  {
    setting: 'paymentServiceBaseUrl',
    others: ['paymentServiceAuthentication'],
    isBroken: ({ paymentServiceBaseUrl, paymentServiceAuthentication }) =>
      paymentServiceAuthentication === 'oauth' && paymentServiceBaseUrl === undefined,
    expected: 'the address that the OAuth token is for',
  },
  {
    setting: 'changesIndex',
    others: ['paymentServiceBaseUrl'],
    isBroken: ({ changesIndex, paymentServiceBaseUrl }) =>
      !changesIndex && paymentServiceBaseUrl !== undefined,
    expected: 'true with paymentServiceBaseUrl: audits find events in it that the service has never sent',
  },
  required(
    'webhookDomainName',
    ['webhookCertificateArn', 'webhookTruststoreUri'],
    'the name that webhookCertificateArn and webhookTruststoreUri are for',
  ),
  required(
    'webhookCertificateArn',
    ['webhookDomainName', 'webhookTruststoreUri'],
    'the certificate that webhookDomainName is served with',
  ),
  required(
    'webhookTruststoreUri',
    ['webhookTruststoreVersion'],
    'the trust store that webhookTruststoreVersion is a version of',
  ),
  required(
    'webhookTruststoreVersion',
    ['webhookTruststoreUri'],
    'the version of webhookTruststoreUri to trust, because a deployment notices no other change of it',
  ),
  {
    // The audit would find it registered, but nothing would respond there.
    setting: 'webhookUrl',
    others: ['webhookTruststoreUri'],
    isBroken: ({ webhookUrl, webhookTruststoreUri }) =>
      webhookTruststoreUri !== undefined && webhookUrl !== undefined && isDefaultEndpoint(webhookUrl),
    expected: 'a URL that responds: a trust store switches this one off',
  },
  required(
    'functionSubnetIds',
    ['functionSecurityGroupIds', 'privateEndpointIds'],
    'the subnets of functionSecurityGroupIds, from which the heartbeat reaches privateEndpointIds',
  ),
  required('functionSecurityGroupIds', ['functionSubnetIds'], 'the security groups of functionSubnetIds'),
  required(
    'tableAdminRoleArn',
    ['operatorRoleArn'],
    'with operatorRoleArn, the role that may change tables and delete rows by hand: no other could',
  ),
  required(
    'operatorRoleArn',
    ['tableAdminRoleArn'],
    'with tableAdminRoleArn, the role that redrives dead letters',
  ),
  different(
    'tableAdminRoleArn',
    'operatorRoleArn',
    'another role than operatorRoleArn: who redrives deletes nothing',
  ),
  {
    // A locked vault outlives a throw-away environment, and so does its bill.
    setting: 'backupRetentionDays',
    others: ['keepData'],
    isBroken: ({ backupRetentionDays, keepData }) => backupRetentionDays !== undefined && !keepData,
    expected: 'nothing with keepData false: no one can delete a backup before its time',
  },
  {
    setting: 'alarmEmail',
    others: ['alarmTopicArn'],
    isBroken: ({ alarmEmail, alarmTopicArn }) => alarmEmail !== undefined && alarmTopicArn !== undefined,
    expected: 'nothing, because it subscribes to the topic of the stack, which alarmTopicArn replaces',
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
export function contradictions(
  settings: Settings,
  wrong: ReadonlySet<string>,
  target: DeploymentTarget,
): readonly Contradiction[] {
  return rules
    .filter(({ setting, others }) => ![setting, ...others].some((name) => wrong.has(name)))
    .filter(({ isBroken }) => isBroken(settings, target))
    .map(({ setting, expected }) => ({ setting, given: settings[setting], expected }));
}
