import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readConfiguration, refuseUnknownContext } from '../../lib/configuration.ts';
import { problemsOf, read } from './configuration-problems.ts';
import { everySetting } from './every-setting.ts';

describe('the configuration', () => {
  it('has a default for everything but the name of the environment', () => {
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
      eventRetentionDays: undefined,
      feedArchiveDays: 30,
      alarmEmail: undefined,
      operatorRoleArn: undefined,
    });
  });

  it('takes the entry of its environment, and of no other', () => {
    const environments = { production: { webhookBurst: 11 }, development: { queryBurst: 12 } };
    expect(read({ environments })).toMatchObject({ webhookBurst: 11, queryBurst: 200 });
  });

  it('prefers what the command line says to the entry of the environment', () => {
    const environments = { production: { logRetentionDays: 90, keepData: true } };
    expect(read({ environments, logRetentionDays: '7', keepData: 'false' })).toMatchObject({
      logRetentionDays: 7,
      keepData: false,
    });
  });

  it('gives an environment that is not listed the defaults', () => {
    expect(
      read({ environmentName: 'pr-17', environments: { production: { keepData: false } } }),
    ).toMatchObject({
      environmentName: 'pr-17',
      keepData: true,
    });
  });

  it('is not confused by an environment that is named like a property of every object', () => {
    expect(read({ environmentName: 'constructor', environments: {} })).toMatchObject({ keepData: true });
  });

  it('reads numbers and booleans that arrive as text', () => {
    const text = { consumerConcurrencyMax: '2', eventRetentionDays: '36500', keepData: 'true' };
    expect(read(text)).toMatchObject({
      consumerConcurrencyMax: 2,
      eventRetentionDays: 36_500,
      keepData: true,
    });
  });

  it('writes the signature header in lower case, as API Gateway hands it over', () => {
    expect(read({ signatureHeader: 'X-Service-SIGNATURE' }).signatureHeader).toBe('x-service-signature');
  });

  it('takes the payment service without the slash at its end', () => {
    expect(read({ paymentServiceBaseUrl: 'https://pay.example.com/' }).paymentServiceBaseUrl).toBe(
      'https://pay.example.com',
    );
  });

  it('takes a payment service on this machine without TLS, and no other', () => {
    const paymentServiceBaseUrl = 'http://127.0.0.1:4900';
    expect(read({ paymentServiceBaseUrl }).paymentServiceBaseUrl).toBe('http://127.0.0.1:4900');
  });

  it('takes an OAuth token where it is known what for', () => {
    const oauth = { paymentServiceAuthentication: 'oauth', paymentServiceBaseUrl: 'https://pay.example.com' };
    expect(read(oauth)).toMatchObject(oauth);
  });

  it('writes the URL that is registered as an address is written', () => {
    expect(read({ webhookUrl: 'HTTPS://Hooks.Example.com:443/webhooks/payments?a=1' }).webhookUrl).toBe(
      'https://hooks.example.com/webhooks/payments?a=1',
    );
  });

  it.each([
    ['a list', ['transaction.paid', 'payout.made', 'transaction.paid']],
    ['text joined by commas', 'transaction.paid,payout.made,transaction.paid'],
  ])('takes the required events as %s, each of them once', (_, requiredEvents) => {
    expect(read({ requiredEvents }).requiredEvents).toEqual(['transaction.paid', 'payout.made']);
  });

  it.each([
    'arn:aws:iam::123456789012:role/operator',
    'arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Operators_*',
    'arn:aws-cn:iam::123456789012:role/path/to/operator',
  ])('takes the operator %s', (operatorRoleArn) => {
    expect(read({ operatorRoleArn }).operatorRoleArn).toBe(operatorRoleArn);
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
const role = 'the ARN of an IAM role (an asterisk stands for any characters)';

describe('a wrong setting', () => {
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
    ['logRetentionDays', 31, retention],
    ['logRetentionDays', 'never', retention],
    ['eventRetentionDays', 0, days],
    ['eventRetentionDays', null, days],
    ['eventRetentionDays', '90 days', days],
    ['feedArchiveDays', 0, days],
    ['feedArchiveDays', '1 month', days],
    ['alarmEmail', 'operator', 'an e-mail address'],
    ['operatorRoleArn', 'operator', role],
    ['operatorRoleArn', 'arn:aws:iam::123456789012:user/operator', role],
  ])('is named with what was given and what is expected: %s = %j', (setting, given, expected) => {
    expect(problemsOf({ [setting]: given })).toEqual([
      `${setting}: given ${JSON.stringify(given)}, expected ${expected}.`,
    ]);
  });

  it('is an OAuth token for no payment service', () => {
    expect(problemsOf({ paymentServiceAuthentication: 'oauth' })).toEqual([
      'paymentServiceBaseUrl: given nothing, expected the address that the OAuth token is for.',
    ]);
  });

  it('is found in the entry of the environment as well', () => {
    expect(problemsOf({ environments: { production: { keepData: 'yes' } } })).toEqual([
      'keepData: given "yes", expected true or false.',
    ]);
  });

  it('is reported together with all others', () => {
    const problems = problemsOf({ environmentName: undefined, keepData: 'no', queryBurst: 'x' });
    expect(problems).toEqual([
      `environmentName: given nothing, expected ${name}.`,
      'keepData: given "no", expected true or false.',
      `queryBurst: given "x", expected ${rate}.`,
    ]);
  });

  it('is explained with the place where settings are written', () => {
    expect(() => read({ keepData: 'no' })).toThrow(
      'The configuration is not valid:\n  - keepData: given "no", expected true or false.\n' +
        'Settings are read from context.environments.<environmentName> in cdk.json; ' +
        '`-c setting=value` overrides them for one command.',
    );
  });
});

describe('context of a plain name', () => {
  const flags = ['@aws-cdk/core:explicitStackTags', 'aws:cdk:bundling-stacks', 'cli-telemetry'];

  it('is refused when it is no setting, as a misspelt one would deploy something else', () => {
    const given = [...flags, 'environmentName', 'alarmMail', 'environment'];
    expect(() => refuseUnknownContext(given)).toThrow(
      /^The configuration is not valid:\n {2}- alarmMail: not a setting; expected one of .*\n {2}- environment: not/,
    );
  });

  it('is taken when it is one, and what belongs to CDK is not looked at', () => {
    expect(() =>
      refuseUnknownContext([...flags, 'environments', ...Object.keys(everySetting)]),
    ).not.toThrow();
  });
});

it('takes every environment that cdk.json lists', () => {
  const names = Object.keys(cdkJson.context.environments);
  expect(names.length).toBeGreaterThan(0);
  for (const environmentName of names) {
    const context: Readonly<Record<string, unknown>> = { ...cdkJson.context, environmentName };
    expect(readConfiguration((key) => context[key])).toMatchObject({ environmentName });
  }
});

describe('a wrong entry', () => {
  it('is a setting that does not exist, and the message lists those that do', () => {
    expect(problemsOf({ environments: { production: { keepdata: false } } })).toEqual([
      'environments.production.keepdata: given false, expected one of the settings signatureHeader, ' +
        'paymentServiceBaseUrl, paymentServiceAuthentication, webhookUrl, webhookDomainName, ' +
        'webhookCertificateArn, webhookTruststoreUri, webhookTruststoreVersion, webhookDefaultEndpoint, ' +
        'requiredEvents, keepData, webhookRequestsPerSecond, webhookBurst, queryRequestsPerSecond, queryBurst, ' +
        'consumerConcurrencyMax, ' +
        'logRetentionDays, eventRetentionDays, feedArchiveDays, alarmEmail, operatorRoleArn.',
    ]);
  });

  it.each([
    [{ environments: ['production'] }, /^environments: given \["production"\], expected an object/],
    [{ environments: 'production' }, /^environments: given "production", expected an object/],
    [{ environments: { production: true } }, /^environments\.production: given true, expected an object/],
  ])('is one of another form: %j', (context, problem) => {
    expect(problemsOf(context)).toEqual([expect.stringMatching(problem)]);
  });
});
