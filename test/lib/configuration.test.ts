import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../../lib/configuration.ts';
import { adoptedResources, everySetting } from './every-setting.ts';
import { variants } from './variants.ts';
import { wrongSettings } from './wrong-settings.ts';

const allSettings = { ...everySetting, ...adoptedResources };
const settingNames = [
  ...new Set(Object.values(variants).flatMap((settings) => Object.keys(settings))),
].filter((name) => name !== 'environmentName');

type Context = Readonly<Record<string, unknown>>;

/** The configuration of an environment called production, with these settings from the command line. */
const read = (context: Context) =>
  readConfiguration((key) => ({ environmentName: 'production', ...context })[key]);

function problemsOf(context: Context): readonly string[] {
  try {
    read(context);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
const domain = { webhookDomainName: 'hooks.example.com', webhookCertificateArn: certificateArn };
const truststore = {
  webhookTruststoreUri: 's3://trust.example/payments/authorities.pem',
  webhookTruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
};
const defaultUrl = 'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/webhooks/payments';

describe('the configuration', () => {
  it('has a default for every setting but the environment name', () => {
    expect(read({})).toEqual({
      environmentName: 'production',
      signatureHeader: 'x-service-signature',
      paymentServiceBaseUrl: undefined,
      paymentServiceAuthentication: 'private-key',
      webhookUrl: undefined,
      webhookDomainName: undefined,
      webhookCertificateArn: undefined,
      webhookTruststoreUri: undefined,
      webhookTruststoreVersion: undefined,
      webhookDefaultEndpoint: true,
      requiredEvents: ['transaction.paid', 'transaction.refunded'],
      bootstrapQualifier: undefined,
      keepData: true,
      eventsTableName: undefined,
      ordersTableStreamArn: undefined,
      keySecretArn: undefined,
      tokenSecretArn: undefined,
      webhookRequestsPerSecond: 1000,
      webhookBurst: 2000,
      queryRequestsPerSecond: 100,
      queryBurst: 200,
      consumerConcurrencyMax: 50,
      recordWithinSeconds: 1,
      feedWithinSeconds: 1,
      verifierReservedConcurrency: undefined,
      verifierProvisionedConcurrency: undefined,
      tracing: false,
      logLevel: 'warn',
      logRetentionDays: 30,
      accessLogRetentionDays: 365,
      eventMeanings: undefined,
      eventRetentionDays: undefined,
      eventsTableClass: 'standard',
      sequenceBase: 0,
      changesSettleSeconds: 30,
      feedArchiveDays: 30,
      expectWebhooksWithin: undefined,
      dashboard: true,
      eventsAtRiskAlarm: false,
      alarmTopicArn: undefined,
      ticketTopicArn: undefined,
      alarmOkActions: true,
      alarmEmail: undefined,
      runbookUrl: undefined,
      operatorRoleArn: undefined,
      encryptionKeyArn: undefined,
      heartbeat: true,
    });
  });

  it('reads the entry of its own environment only', () => {
    const environments = { production: { webhookBurst: 11 }, development: { queryBurst: 12 } };
    expect(read({ environments })).toMatchObject({ webhookBurst: 11, queryBurst: 200 });
  });

  it('prefers the command line to the entry of the environment', () => {
    const environments = { production: { logRetentionDays: 90, keepData: true } };
    expect(read({ environments, logRetentionDays: '7', keepData: 'false' })).toMatchObject({
      logRetentionDays: 7,
      keepData: false,
    });
  });

  it.each(['pr-17', 'constructor'])(
    'uses the defaults for the unlisted environment %s',
    (environmentName) => {
      const environments = { production: { keepData: false } };
      expect(read({ environmentName, environments })).toMatchObject({ environmentName, keepData: true });
    },
  );

  it('accepts every environment in cdk.json', () => {
    const names = Object.keys(cdkJson.context.environments);
    expect(names.length).toBeGreaterThan(0);
    for (const environmentName of names) {
      const context: Context = { ...cdkJson.context, environmentName };
      expect(readConfiguration((key) => context[key])).toMatchObject({ environmentName });
    }
  });

  it('accepts settings for everything that the stack can have at once', () => {
    const inHours = { expectWebhooksWithin: 30 };
    expect(read(allSettings)).toEqual({ environmentName: 'production', ...allSettings, ...inHours });
  });
});

describe('a setting', () => {
  it.each([
    ['consumerConcurrencyMax', '2', 2],
    ['recordWithinSeconds', '0', 0],
    ['feedWithinSeconds', 10, 10],
    ['changesSettleSeconds', '5', 5],
    ['changesSettleSeconds', 600, 600],
    ['eventRetentionDays', '36500', 36_500],
    ['eventRetentionDays', 14, 14],
    ['sequenceBase', '1000000000', 1_000_000_000],
    ['sequenceBase', 0, 0],
    ['eventsTableClass', 'infrequent-access', 'infrequent-access'],
    ['keepData', 'true', true],
    ['signatureHeader', 'X-Service-SIGNATURE', 'x-service-signature'],
    ['paymentServiceBaseUrl', 'https://pay.example.com/', 'https://pay.example.com'],
    ['paymentServiceBaseUrl', 'http://127.0.0.1:4900', 'http://127.0.0.1:4900'],
    ['webhookUrl', 'HTTPS://Hooks.Example.com:443/hook?a=1', 'https://hooks.example.com/hook?a=1'],
    ['webhookUrl', defaultUrl, defaultUrl],
    [
      'requiredEvents',
      ['transaction.paid', 'payout.made', 'payout.made'],
      ['transaction.paid', 'payout.made'],
    ],
    ['requiredEvents', 'transaction.paid,payout.made,payout.made', ['transaction.paid', 'payout.made']],
    ['eventMeanings', 'charge.dispute.created=disputed', { 'charge.dispute.created': 'disputed' }],
    [
      'eventMeanings',
      'charge.won=history,charge.lost=refunded',
      { 'charge.won': 'history', 'charge.lost': 'refunded' },
    ],
    [
      'eventMeanings',
      { 'transaction.failed': 'history', 'transaction.paid': 'paid' },
      { 'transaction.failed': 'history', 'transaction.paid': 'paid' },
    ],
  ])('is read in its normal form: %s = %j', (setting, given, expected) => {
    expect(read({ ...domain, [setting]: given })).toHaveProperty(setting, expected);
  });

  it.each([
    ['operatorRoleArn', 'arn:aws:iam::123456789012:role/operator'],
    ['operatorRoleArn', 'arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Operators_*'],
    ['operatorRoleArn', 'arn:aws-cn:iam::123456789012:role/path/to/operator'],
    ['encryptionKeyArn', 'arn:aws:kms:eu-central-1:123456789012:key/5a1b2c3d-1111-4222-8333-444455556666'],
    ['encryptionKeyArn', 'arn:aws-cn:kms:cn-north-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab'],
    ['webhookDomainName', 'hooks.example.com'],
    ['webhookDomainName', 'a.b'],
    ['webhookDomainName', '1.2.3.hooks'],
    ['webhookDomainName', 'xn--bcher-kva.example'],
    ['webhookDomainName', `${'a'.repeat(63)}.example`],
  ])('is accepted unchanged: %s = %s', (setting, given) => {
    expect(read({ ...domain, [setting]: given })).toHaveProperty(setting, given);
  });
});

describe('the setting expectWebhooksWithin', () => {
  it.each([
    ['1h', 1],
    ['168h', 168],
    ['1d', 24],
    ['7d', 168],
  ])('takes hours and days: %s is %i hours', (given, hours) => {
    expect(read({ expectWebhooksWithin: given }).expectWebhooksWithin).toBe(hours);
  });
});

describe('the setting webhookDefaultEndpoint', () => {
  it.each([
    ['is true by default with a domain', true, domain],
    ['is false by default with a trust store', false, { ...domain, ...truststore }],
    ['may be false with a trust store', false, { ...domain, ...truststore, webhookDefaultEndpoint: 'false' }],
  ])('%s', (_, expected, context) => {
    expect(read(context).webhookDefaultEndpoint).toBe(expected);
  });
});

describe('an invalid setting', () => {
  it.each(wrongSettings)(
    'is refused with its value and what is expected: %s = %j',
    (setting, given, expected) => {
      expect(problemsOf({ ...domain, ...truststore, [setting]: given })).toEqual([
        `${setting}: given ${JSON.stringify(given)}, expected ${expected}.`,
      ]);
    },
  );

  it('is refused in the entry of the environment too', () => {
    expect(problemsOf({ environments: { production: { keepData: 'yes' } } })).toEqual([
      'keepData: given "yes", expected true or false.',
    ]);
  });

  it('is reported together with all others', () => {
    expect(problemsOf({ environmentName: undefined, keepData: 'no', queryBurst: 'x' })).toEqual([
      'environmentName: given nothing, expected 1 to 30 lower-case letters, digits and hyphens, ' +
        'starting with a letter.',
      'keepData: given "no", expected true or false.',
      'queryBurst: given "x", expected a whole number from 1 to 1000000.',
    ]);
  });

  it('is reported with the place where settings are written', () => {
    expect(() => read({ keepData: 'no' })).toThrow(
      'The configuration is not valid:\n  - keepData: given "no", expected true or false.\n' +
        'Settings are read from context.environments.<environmentName> in cdk.json; ' +
        '`-c setting=value` overrides them for one command.',
    );
  });
});

const noName =
  'webhookDomainName: given nothing, expected the name that webhookCertificateArn and webhookTruststoreUri are for.';
const noCertificate =
  'webhookCertificateArn: given nothing, expected the certificate that webhookDomainName is served with.';
const switchedOff =
  `webhookUrl: given "${defaultUrl}", expected a URL that responds: ` +
  'webhookDefaultEndpoint or a trust store has switched this one off.';

describe('settings that contradict each other', () => {
  it.each<[title: string, context: Context, problems: string[]]>([
    [
      'an address to notify with an existing topic',
      { alarmEmail: 'oncall@example.com', alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:pages' },
      [
        'alarmEmail: given "oncall@example.com", expected nothing, because it subscribes to the topic of the ' +
          'stack, which alarmTopicArn replaces.',
      ],
    ],
    [
      'more provisioned than reserved concurrency',
      { verifierReservedConcurrency: 10, verifierProvisionedConcurrency: 11 },
      [
        'verifierProvisionedConcurrency: given 11, expected at most verifierReservedConcurrency, ' +
          'of which it is a part.',
      ],
    ],
    [
      'OAuth without a payment service',
      { paymentServiceAuthentication: 'oauth' },
      ['paymentServiceBaseUrl: given nothing, expected the address that the OAuth token is for.'],
    ],
    ['a domain without a certificate', { webhookDomainName: 'hooks.example.com' }, [noCertificate]],
    ['a certificate without a domain', { webhookCertificateArn: certificateArn }, [noName]],
    ['a trust store without a domain', truststore, [noName, noCertificate]],
    [
      'a trust store without its version',
      { ...domain, ...truststore, webhookTruststoreVersion: undefined },
      [
        'webhookTruststoreVersion: given nothing, expected the version of webhookTruststoreUri to trust, ' +
          'because a deployment notices no other change of it.',
      ],
    ],
    [
      'a version without a trust store',
      { ...domain, webhookTruststoreVersion: 'abc' },
      [
        'webhookTruststoreUri: given nothing, expected the trust store that webhookTruststoreVersion is a version of.',
      ],
    ],
    [
      'a trust store with the default endpoint',
      { ...domain, ...truststore, webhookDefaultEndpoint: 'true' },
      [
        'webhookDefaultEndpoint: given true, expected false or nothing, because that endpoint accepts callers ' +
          'without the certificate of a trust store.',
      ],
    ],
    [
      'no default endpoint without a domain',
      { webhookDefaultEndpoint: false },
      [
        'webhookDefaultEndpoint: given false, expected true, because without webhookDomainName the API has no other ' +
          'address.',
      ],
    ],
    [
      'a registered URL at the disabled default endpoint',
      { ...domain, webhookDefaultEndpoint: false, webhookUrl: defaultUrl },
      [switchedOff],
    ],
    [
      'a registered URL at the default endpoint with a trust store',
      { ...domain, ...truststore, webhookUrl: defaultUrl },
      [switchedOff],
    ],
  ])('are refused with the one to fix: %s', (_, context, problems) => {
    expect(problemsOf(context)).toEqual(problems);
  });
});

describe('context with a plain name', () => {
  const flags = ['@aws-cdk/core:explicitStackTags', 'aws:cdk:bundling-stacks', 'cli-telemetry'];

  it('is refused when it is no setting, because a misspelt setting would be ignored', () => {
    const given = [...flags, 'environmentName', 'alarmMail', 'environment'];
    expect(() => refuseUnknownContext(given)).toThrow(
      /^The configuration is not valid:\n {2}- alarmMail: not a setting; expected one of .*\n {2}- environment: not/,
    );
  });

  it('is accepted when it is a setting; context of CDK is ignored', () => {
    expect(() => refuseUnknownContext([...flags, 'environments', ...settingNames])).not.toThrow();
  });
});

describe('the entry of an environment', () => {
  it('is refused with the list of settings when it holds an unknown one', () => {
    const [problem = ''] = problemsOf({ environments: { production: { keepdata: false } } });
    const [start, names = ''] = problem.split(/(?<=one of the settings )|\.$/);
    expect(start).toBe('environments.production.keepdata: given false, expected one of the settings ');
    expect(names.split(', ').sort()).toEqual(settingNames.toSorted());
  });

  it.each([
    [{ environments: ['production'] }, /^environments: given \["production"\], expected an object/],
    [{ environments: 'production' }, /^environments: given "production", expected an object/],
    [{ environments: { production: true } }, /^environments\.production: given true, expected an object/],
  ])('is refused when it is not an object: %j', (context, problem) => {
    expect(problemsOf(context)).toEqual([expect.stringMatching(problem)]);
  });
});
