import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../../lib/configuration.ts';
import { everySetting } from './every-setting.ts';

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
      keepData: true,
      webhookRequestsPerSecond: 1000,
      webhookBurst: 2000,
      queryRequestsPerSecond: 100,
      queryBurst: 200,
      consumerConcurrencyMax: 50,
      logRetentionDays: 30,
      eventMeanings: undefined,
      eventRetentionDays: undefined,
      changesSettleSeconds: 30,
      feedArchiveDays: 30,
      alarmEmail: undefined,
      operatorRoleArn: undefined,
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

  it('accepts a value for every setting at once', () => {
    expect(read(everySetting)).toEqual({ environmentName: 'production', ...everySetting });
  });
});

describe('a setting', () => {
  it.each([
    ['consumerConcurrencyMax', '2', 2],
    ['changesSettleSeconds', '5', 5],
    ['changesSettleSeconds', 600, 600],
    ['eventRetentionDays', '36500', 36_500],
    ['eventRetentionDays', 14, 14],
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
    ['webhookDomainName', 'hooks.example.com'],
    ['webhookDomainName', 'a.b'],
    ['webhookDomainName', '1.2.3.hooks'],
    ['webhookDomainName', 'xn--bcher-kva.example'],
    ['webhookDomainName', `${'a'.repeat(63)}.example`],
  ])('is accepted unchanged: %s = %s', (setting, given) => {
    expect(read({ ...domain, [setting]: given })).toHaveProperty(setting, given);
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

const flag = 'true or false';
const rate = 'a whole number from 1 to 1000000';
const name = '1 to 30 lower-case letters, digits and hyphens, starting with a letter';
const header = "the name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~, without a colon";
const address = 'an https address without path, query or credentials, such as https://api.example.com';
const registered = 'an https URL without credentials, such as https://hooks.example.com/webhooks/payments';
const events = '1 to 50 event names, such as transaction.paid,transaction.refunded';
const retention =
  'one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653';
const days = 'a whole number from 1 to 36500';
const bodyDays =
  'a whole number from 14 to 36500, because an event that waits in the dead-letter queue must still find its body';
const meanings =
  'event names, each once and with one of the meanings paid, refunded, failed, disputed, history, ' +
  'such as charge.won=history,charge.lost=refunded';
const documented =
  'no other meaning for transaction.paid and transaction.refunded, which the API document defines';
const short = 'at most 2048 bytes as JSON, because Lambda takes 4 KB for all variables';
const role = 'the ARN of an IAM role (an asterisk stands for any characters)';
const host =
  'a host name in lower case, such as hooks.example.com, without scheme, port, wildcard or final dot';
const certificate = 'the ARN of a certificate of AWS Certificate Manager';
const s3Object = 'an S3 object, such as s3://bucket/key';
const version = 'the version id of an S3 object in a bucket with versioning';

const manyMeanings = Object.fromEntries(
  Array.from({ length: 100 }, (_, number) => [`charge.number-${number}`, 'history']),
);

describe('an invalid setting', () => {
  it.each([
    ['environmentName', 'Production', name],
    ['environmentName', '1st', name],
    ['environmentName', 'a'.repeat(31), name],
    ['environmentName', 7, name],
    ['signatureHeader', 'x service', header],
    ['signatureHeader', 'x-signature:', header],
    ['signatureHeader', '', header],
    ['paymentServiceBaseUrl', 'http://pay.example.com', address],
    ['paymentServiceBaseUrl', 'https://pay.example.com/api/v2', address],
    ['paymentServiceBaseUrl', 'https://pay.example.com?a=1', address],
    ['paymentServiceBaseUrl', 'https://user:password@pay.example.com', address],
    ['paymentServiceBaseUrl', 'pay.example.com', address],
    ['paymentServiceBaseUrl', 'http://127.0.0.1:4900/api/v2', address],
    ['paymentServiceAuthentication', 'basic', 'one of private-key, oauth'],
    ['paymentServiceAuthentication', true, 'one of private-key, oauth'],
    ['webhookUrl', 'http://hooks.example.com/', registered],
    ['webhookUrl', 'https://user@hooks.example.com/', registered],
    ['webhookUrl', 'https://hooks.example.com/#here', registered],
    ['webhookUrl', 'hooks.example.com', registered],
    ['webhookDomainName', 'https://hooks.example.com', host],
    ['webhookDomainName', 'hooks.example.com.', host],
    ['webhookDomainName', '*.example.com', host],
    ['webhookDomainName', 'hooks.example.com:443', host],
    ['webhookDomainName', 'hooks.example.com/webhooks', host],
    ['webhookDomainName', 'HOOKS.example.com', host],
    ['webhookDomainName', 'hooks', host],
    ['webhookDomainName', '-hooks.example.com', host],
    ['webhookDomainName', 'hooks-.example.com', host],
    ['webhookDomainName', 'hooks..example.com', host],
    ['webhookDomainName', 'hooks_1.example.com', host],
    ['webhookDomainName', '192.0.2.1', host],
    ['webhookDomainName', `${'a'.repeat(64)}.example`, host],
    ['webhookDomainName', `${'a.'.repeat(127)}example`, host],
    ['webhookCertificateArn', 'arn:aws:acm:eu-central-1:111122223333:certificate/', certificate],
    ['webhookCertificateArn', 'arn:aws:iam::111122223333:server-certificate/hooks', certificate],
    ['webhookCertificateArn', 'arn:aws:acm::111122223333:certificate/one', certificate],
    ['webhookTruststoreUri', 'https://trust.example/authorities.pem', s3Object],
    ['webhookTruststoreUri', 's3://trust.example', s3Object],
    ['webhookTruststoreUri', 's3://trust.example/', s3Object],
    ['webhookTruststoreUri', 's3://Trust/authorities.pem', s3Object],
    ['webhookTruststoreUri', 's3://trust.example/authorities.pem?versionId=1', s3Object],
    ['webhookTruststoreVersion', '', version],
    ['webhookTruststoreVersion', 'null', version],
    ['webhookTruststoreVersion', 'a b', version],
    ['webhookDefaultEndpoint', 'off', flag],
    ['requiredEvents', '', events],
    ['requiredEvents', [], events],
    ['requiredEvents', 'transaction.paid,', events],
    ['requiredEvents', 'transaction.paid, transaction.refunded', events],
    ['requiredEvents', ['paid'], events],
    ['requiredEvents', ['transaction.paid', 7], events],
    ['requiredEvents', Array.from({ length: 51 }, (_, number) => `a.b${number}`), events],
    ['keepData', 'maybe', flag],
    ['keepData', 0, flag],
    ['webhookRequestsPerSecond', 0, rate],
    ['webhookBurst', '-1', rate],
    ['queryRequestsPerSecond', 1.5, rate],
    ['queryBurst', '1e3', rate],
    ['consumerConcurrencyMax', 1, 'a whole number from 2 to 1000'],
    ['consumerConcurrencyMax', '1001', 'a whole number from 2 to 1000'],
    ['changesSettleSeconds', 4, 'a whole number from 5 to 600'],
    ['changesSettleSeconds', '601', 'a whole number from 5 to 600'],
    ['changesSettleSeconds', 7.5, 'a whole number from 5 to 600'],
    ['logRetentionDays', 31, retention],
    ['logRetentionDays', 'never', retention],
    ['eventMeanings', '', meanings],
    ['eventMeanings', 'charge.won', meanings],
    ['eventMeanings', 'charge.won=history,', meanings],
    ['eventMeanings', 'charge.won=history, charge.lost=refunded', meanings],
    ['eventMeanings', 'charge.won=history,charge.won=history', meanings],
    ['eventMeanings', 'charge.won=won', meanings],
    ['eventMeanings', { won: 'history' }, meanings],
    ['eventMeanings', { constructor: 'history' }, meanings],
    ['eventMeanings', { 'charge.won': ['history'] }, meanings],
    ['eventMeanings', ['charge.won'], meanings],
    ['eventMeanings', 'transaction.refunded=history', documented],
    ['eventMeanings', { 'transaction.paid': 'failed' }, documented],
    ['eventMeanings', manyMeanings, short],
    ['eventRetentionDays', 13, bodyDays],
    ['eventRetentionDays', null, bodyDays],
    ['eventRetentionDays', '90 days', bodyDays],
    ['feedArchiveDays', 0, days],
    ['feedArchiveDays', '1 month', days],
    ['alarmEmail', 'operator', 'an e-mail address'],
    ['operatorRoleArn', 'operator', role],
    ['operatorRoleArn', 'arn:aws:iam::123456789012:user/operator', role],
  ])('is refused with its value and what is expected: %s = %j', (setting, given, expected) => {
    expect(problemsOf({ ...domain, ...truststore, [setting]: given })).toEqual([
      `${setting}: given ${JSON.stringify(given)}, expected ${expected}.`,
    ]);
  });

  it('is refused in the entry of the environment too', () => {
    expect(problemsOf({ environments: { production: { keepData: 'yes' } } })).toEqual([
      'keepData: given "yes", expected true or false.',
    ]);
  });

  it('is reported together with all others', () => {
    expect(problemsOf({ environmentName: undefined, keepData: 'no', queryBurst: 'x' })).toEqual([
      `environmentName: given nothing, expected ${name}.`,
      'keepData: given "no", expected true or false.',
      `queryBurst: given "x", expected ${rate}.`,
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
    expect(() =>
      refuseUnknownContext([...flags, 'environments', ...Object.keys(everySetting)]),
    ).not.toThrow();
  });
});

describe('the entry of an environment', () => {
  it('is refused with the list of settings when it holds an unknown one', () => {
    expect(problemsOf({ environments: { production: { keepdata: false } } })).toEqual([
      'environments.production.keepdata: given false, expected one of the settings ' +
        `${Object.keys(everySetting).join(', ')}.`,
    ]);
  });

  it.each([
    [{ environments: ['production'] }, /^environments: given \["production"\], expected an object/],
    [{ environments: 'production' }, /^environments: given "production", expected an object/],
    [{ environments: { production: true } }, /^environments\.production: given true, expected an object/],
  ])('is refused when it is not an object: %j', (context, problem) => {
    expect(problemsOf(context)).toEqual([expect.stringMatching(problem)]);
  });
});
