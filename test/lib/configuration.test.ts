import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../../lib/configuration.ts';
import type { DeploymentTarget } from '../../lib/setting-combinations.ts';
import { settingSchemas } from '../../lib/settings.ts';
import { adoptedResources, everySetting } from './every-setting.ts';

type Context = Readonly<Record<string, unknown>>;

/** The configuration of an environment called production, with these settings from the command line. */
const read = (context: Context, target?: DeploymentTarget) =>
  readConfiguration(
    (key) => ({ environmentName: 'production', environments: { production: {} }, ...context })[key],
    target,
  );

function problemsOf(context: Context, target?: DeploymentTarget): readonly string[] {
  try {
    read(context, target);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

const domain = {
  webhookDomainName: 'hooks.example.com',
  webhookCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/one',
};
const truststore = {
  webhookTruststoreUri: 's3://trust.example/payments/authorities.pem',
  webhookTruststoreVersion: 'L4kqtJlcpXroDTDmpUMLUo',
};
const roles = {
  operatorRoleArn: everySetting.operatorRoleArn,
  tableAdminRoleArn: everySetting.tableAdminRoleArn,
};
const defaultUrl = 'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/webhooks/payments';

describe('the configuration', () => {
  it('reads the entry of its own environment only', () => {
    const environments = { production: { logLevel: 'info' }, development: { logRetentionDays: 7 } };
    expect(read({ environments })).toMatchObject({ logLevel: 'info', logRetentionDays: 30 });
  });

  it('prefers the command line to the entry of the environment', () => {
    const environments = { production: { logRetentionDays: 90, keepData: true } };
    expect(read({ environments, logRetentionDays: '7', keepData: 'false' })).toMatchObject({
      logRetentionDays: 7,
      keepData: false,
    });
  });

  it.each([
    ['prodution', 'production, staging (did you mean production?)'],
    ['staged', 'production, staging (did you mean staging?)'],
    ['pr-17', 'production, staging'],
    ['constructor', 'production, staging'],
  ])('refuses the environment %s, which is not listed', (environmentName, expected) => {
    expect(problemsOf({ environmentName, environments: { production: {}, staging: {} } })).toEqual([
      `environmentName: given "${environmentName}", expected an entry of environments: ${expected}.`,
    ]);
  });

  it('accepts every environment in cdk.json', () => {
    const names = Object.keys(cdkJson.context.environments);
    expect(names.length).toBeGreaterThan(0);
    for (const environmentName of names) {
      const context: Context = { ...cdkJson.context, environmentName };
      expect(readConfiguration((key) => context[key])).toMatchObject({ environmentName });
    }
  });

  it('accepts settings for everything that the stack can have at once', () => {
    const settings = { ...everySetting, ...adoptedResources };
    const expected = { environmentName: 'production', ...settings, expectWebhooksWithin: 30 };
    expect(read(settings)).toEqual(expected);
  });
});

describe('a setting', () => {
  it.each([
    ['consumerConcurrencyMax', '2', 2],
    ['batchWindowSeconds', '1', 1],
    ['eventRetentionDays', 14, 14],
    ['sequenceBase', '1000000000', 1_000_000_000],
    ['eventsTableClass', 'infrequent-access', 'infrequent-access'],
    ['keepData', 'true', true],
    ['changesIndex', 'false', false],
    ['transactionRows', 'false', false],
    ['signatureHeader', 'X-Service-SIGNATURE', 'x-service-signature'],
    ['paymentServiceBaseUrl', 'https://pay.example.com/', 'https://pay.example.com'],
    ['paymentServiceBaseUrl', 'http://127.0.0.1:4900', 'http://127.0.0.1:4900'],
    ['webhookUrl', 'HTTPS://Hooks.Example.com:443/hook?a=1', 'https://hooks.example.com/hook?a=1'],
    ['webhookUrl', defaultUrl, defaultUrl],
    ['requiredEvents', ['transaction.paid', 'payout.made'], ['transaction.paid', 'payout.made']],
    ['requiredEvents', 'transaction.paid,payout.made,payout.made', ['transaction.paid', 'payout.made']],
    [
      'eventMeanings',
      'charge.won=history,charge.lost=paid',
      { 'charge.won': 'history', 'charge.lost': 'paid' },
    ],
    ['eventMeanings', { 'transaction.paid': 'paid' }, { 'transaction.paid': 'paid' }],
    ['approvals', 'admit,erase,admit', ['admit', 'erase']],
    ['expectWebhooksWithin', '168h', 168],
    ['expectWebhooksWithin', '7d', 168],
    ['operatorRoleArn', 'arn:aws:iam::111122223333:role/aws-reserved/*/Operators_*', expect.anything()],
    ['operatorRoleArn', 'arn:aws-cn:iam::123456789012:role/path/to/operator', expect.anything()],
    [
      'encryptionKeyArn',
      'arn:aws:kms:eu-central-1:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab',
      expect.anything(),
    ],
    ['webhookDomainName', '1.2.3.hooks', '1.2.3.hooks'],
    ['webhookDomainName', `${'a'.repeat(63)}.example`, expect.anything()],
  ])('is read in its normal form: %s = %j', (setting, given, expected) => {
    expect(read({ ...domain, ...roles, [setting]: given })).toHaveProperty(setting, expected);
  });

  const secret = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret';
  const manyMeanings = Object.fromEntries(
    Array.from({ length: 100 }, (_, number) => [`charge.number-${number}`, 'history']),
  );
  it.each<[setting: string, given: readonly unknown[]]>([
    ['environmentName', ['Production', '1st', 'a'.repeat(31), 7]],
    ['signatureHeader', ['x service', 'x-signature:', '', 'Payhooks-Heartbeat']],
    ['paymentServiceBaseUrl', ['http://pay.example.com', 'http://127.0.0.1.pay.example', 'pay.example.com']],
    ['paymentServiceBaseUrl', ['https://pay.example.com/api/v2', 'https://user:password@pay.example.com']],
    ['paymentServiceAuthentication', ['basic', true]],
    ['webhookUrl', ['http://hooks.example.com/', 'https://u@hooks.example.com/', 'hooks.example.com']],
    ['webhookDomainName', ['https://hooks.example.com', '*.example.com', 'hooks.example.com:443', 'hooks']],
    [
      'webhookDomainName',
      ['-hooks.example.com', 'hooks..example.com', '192.0.2.1', `${'a'.repeat(64)}.example`],
    ],
    ['webhookCertificateArn', ['arn:aws:iam::111122223333:server-certificate/hooks']],
    [
      'webhookTruststoreUri',
      ['https://trust.example/authorities.pem', 's3://trust.example', 's3://Trust/a.pem'],
    ],
    ['webhookTruststoreVersion', ['', 'null', 'a b']],
    ['requiredEvents', ['', [], 'transaction.paid, payout.made', ['paid'], Array(51).fill('a.b')]],
    ['eventMeanings', ['', 'charge.won', 'charge.won=won', 'charge.won=history,charge.won=history']],
    // The API document defines the meaning of the first two.
    ['eventMeanings', ['transaction.refunded=history', { 'transaction.paid': 'failed' }, manyMeanings]],
    ['eventMeanings', [{ won: 'history' }, { constructor: 'history' }, ['charge.won']]],
    ['approvals', ['', 'all', 'admit, erase', [7]]],
    ['keepData', ['maybe', 0]],
    ['eventsTableName', ['ev', 'arn:aws:dynamodb:eu-central-1:111122223333:table/events']],
    ['ordersTableStreamArn', ['orders', 'arn:aws:dynamodb:eu-central-1:111122223333:table/orders']],
    ['sequenceBase', [-1, '1,000', 2 ** 60]],
    ['keySecretArn', ['payments/key', `${secret}:payments/key`, `${secret}:*-AbCdEf`]],
    ['webhookRequestsPerSecond', [0, '-1', 1.5, '1e3']],
    ['consumerConcurrencyMax', [1, '1001']],
    ['batchWindowSeconds', [-1, 0.5, 11]],
    ['logLevel', ['debug']],
    ['logRetentionDays', [31, 'never']],
    ['eventRetentionDays', [13, null, '90 days']],
    ['backupRetentionDays', [6, 'forever']],
    ['expectWebhooksWithin', ['0h', '169h', '8d', '90m', 6]],
    ['alarmTopicArn', ['alarms', 'arn:aws:sns:eu-west-1:111122223333:alarms.fifo']],
    ['alarmEmail', ['operator']],
    [
      'runbookUrl',
      ['docs/runbook.md', 'https://wiki.example.com/#here', `https://a.example/${'r'.repeat(495)}`],
    ],
    ['bootstrapQualifier', ['Production', 'productions']],
    [
      'encryptionKeyArn',
      ['', 'Own', 'alias/payhooks', 'arn:aws:kms:eu-central-1:123456789012:alias/payhooks'],
    ],
    ['operatorRoleArn', ['operator', 'arn:aws:iam::123456789012:user/operator']],
    ['operatorRoleArn', ['arn:aws:iam::*:role/operator', 'arn:aws:iam::111122223333:role/*']],
    ['tableAdminRoleArn', ['arn:aws:iam::111122223333:role/sso/*']],
    [
      'functionSubnetIds',
      ['subnet-0a1b2c3d', 'subnet-0a1b2c3d,subnet-0a1b2c3d', 'a,b', ['vpc-0a1b2c3d', 'x']],
    ],
    ['functionSecurityGroupIds', ['', [], 'subnet-0a1b2c3d', Array(6).fill('sg-0a1b2c3d')]],
  ])('is refused with its value, and alone: %s = %j', (setting, values) => {
    for (const given of values) {
      const problem = `${setting}: given ${JSON.stringify(given)}, expected `;
      expect(problemsOf({ ...domain, ...truststore, [setting]: given })).toEqual([
        expect.toSatisfy((text: string) => text.startsWith(problem) && text.length > problem.length + 5),
      ]);
    }
  });

  it('is refused together with all others, and with the place where settings are written', () => {
    const environments = { production: { keepData: 'no' } };
    expect(() => read({ environmentName: undefined, keepData: 'no', sequenceBase: 'x' })).toThrow(
      'The configuration is not valid:\n' +
        '  - environmentName: given nothing, expected 1 to 30 lower-case letters, digits and hyphens, ' +
        'starting with a letter.\n' +
        '  - keepData: given "no", expected true or false.\n' +
        '  - sequenceBase: given "x", expected a whole number from 0 to 999999999999999.\n' +
        'Settings are read from context.environments.<environmentName> in cdk.json; ' +
        '`-c setting=value` overrides them for one command.',
    );
    expect(problemsOf({ environments })).toEqual(['keepData: given "no", expected true or false.']);
  });
});

describe('settings that contradict each other', () => {
  const oauth = {
    paymentServiceBaseUrl: 'https://pay.example.com',
    paymentServiceAuthentication: 'oauth',
  } as const;
  const { eventsTableName, ordersTableStreamArn, keySecretArn, tokenSecretArn, sequenceBase } =
    adoptedResources;
  const ordersTableName = 'payhooks-production-orders-20261122T081500Z';
  const noName = 'webhookDomainName: given nothing, expected the name that';
  const noCertificate = 'webhookCertificateArn: given nothing, expected the certificate';
  const noVersion = 'webhookTruststoreVersion: given nothing, expected the version';
  const noTruststore = 'webhookTruststoreUri: given nothing, expected the trust store';

  it.each<[context: Context, ...problems: string[]]>([
    [
      { alarmEmail: 'oncall@example.com', alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:pages' },
      'alarmEmail: given "oncall@example.com", expected nothing',
    ],
    [{ paymentServiceAuthentication: 'oauth' }, 'paymentServiceBaseUrl: given nothing, expected the address'],
    [{ ...domain, webhookCertificateArn: undefined }, noCertificate],
    [{ ...domain, webhookDomainName: undefined }, noName],
    [truststore, noName, noCertificate],
    [{ ...domain, ...truststore, webhookTruststoreVersion: undefined }, noVersion],
    [{ ...domain, webhookTruststoreVersion: 'abc' }, noTruststore],
    // A trust store closes the default endpoint.
    [
      { ...domain, ...truststore, webhookUrl: defaultUrl },
      `webhookUrl: given "${defaultUrl}", expected a URL that responds`,
    ],
    [
      { eventsTableName: ordersTableName, ordersTableStreamArn, sequenceBase },
      `ordersTableStreamArn: given "${ordersTableStreamArn}", expected another table`,
    ],
    [{ ordersTableStreamArn }, 'sequenceBase: given nothing'],
    [{ eventsTableName }, 'sequenceBase: given nothing'],
    [
      { ...oauth, keySecretArn, tokenSecretArn: keySecretArn },
      `tokenSecretArn: given "${keySecretArn}", expected another secret`,
    ],
    [
      { keySecretArn, sealSecretArn: keySecretArn },
      `sealSecretArn: given "${keySecretArn}", expected another`,
    ],
    [
      { ...roles, tableAdminRoleArn: undefined },
      'tableAdminRoleArn: given nothing, expected with operatorRoleArn',
    ],
    [
      { ...roles, operatorRoleArn: undefined },
      'operatorRoleArn: given nothing, expected with tableAdminRoleArn',
    ],
    [
      { ...roles, tableAdminRoleArn: roles.operatorRoleArn },
      `tableAdminRoleArn: given "${roles.operatorRoleArn}", expected another role`,
    ],
    [
      { ...domain, keySecretArn: keySecretArn.replace('central', 'west') },
      `webhookCertificateArn: given "${domain.webhookCertificateArn}", expected an ARN in the account and`,
    ],
    [{ functionSubnetIds: 'subnet-0a1b2c3d,subnet-4e5f6a7b' }, 'functionSecurityGroupIds: given nothing'],
    [{ functionSecurityGroupIds: ['sg-0a1b2c3d'] }, 'functionSubnetIds: given nothing'],
    [
      { changesIndex: false, paymentServiceBaseUrl: 'https://pay.example' },
      'changesIndex: given false, expected true',
    ],
    [{ keepData: false, backupRetentionDays: 90 }, 'backupRetentionDays: given 90, expected nothing with'],
    [{ tokenSecretArn }, `tokenSecretArn: given "${tokenSecretArn}", expected nothing, because only`],
  ])('are refused with the one to fix: %j', (context, ...problems) => {
    expect(problemsOf(context).map((found, index) => found.slice(0, problems[index]?.length))).toEqual(
      problems,
    );
  });

  const place = expect.stringMatching(/^\w+: given ".*", expected an ARN in the account and the region of/);

  it.each([
    ['region', 'eu-central-1', 'eu-west-1'],
    ['account', '111122223333', '444455556666'],
    ['partition', 'arn:aws:', 'arn:aws-cn:'],
  ])('are refused when one adopted resource is in another %s than the others', (_, here, elsewhere) => {
    const settings = { ordersTableStreamArn, sequenceBase };
    const moved = { ...settings, keySecretArn: keySecretArn.replace(here, elsewhere) };
    expect(problemsOf(moved)).toEqual([place]);
  });

  it('are refused when a resource or a key is in another place than the deployment, if that is known', () => {
    const encryptionKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/5a1b2c3d-1111-4222-8333-444455556666';
    for (const settings of [{ keySecretArn }, { encryptionKeyArn }]) {
      expect(problemsOf(settings, { account: '444455556666', region: 'eu-central-1' })).toEqual([place]);
      expect(problemsOf(settings, { account: '111122223333', region: 'eu-west-1' })).toEqual([place]);
      expect(problemsOf(settings, { account: '111122223333', region: 'eu-central-1' })).toEqual([]);
      expect(problemsOf(settings)).toEqual([]);
    }
  });
});

describe('context with a plain name', () => {
  const flags = ['@aws-cdk/core:explicitStackTags', 'aws:cdk:bundling-stacks', 'cli-telemetry'];

  it('is refused when it is no setting, because a misspelt setting would be ignored', () => {
    const given = [...flags, 'environmentName', 'alarmMail', 'loglevle', 'stage'];
    expect(() => refuseUnknownContext(given)).toThrow(
      /:\n {2}- alarmMail: .* mean alarmEmail\?\n.*mean logLevel\?\n {2}- stage: not a setting;.*environmentName/,
    );
  });

  it('is accepted when it is a setting; context of CDK is ignored', () => {
    expect(() =>
      refuseUnknownContext([...flags, 'environments', ...Object.keys(settingSchemas)]),
    ).not.toThrow();
  });
});

it.each([
  [
    { production: { keepdata: false } },
    /^environments\.production\.keepdata: not a setting; did you mean keepData\?$/,
  ],
  [undefined, /^environments: given nothing, expected an object/],
  [['production'], /^environments: given \["production"\], expected an object/],
  [{ production: true }, /^environments\.production: given true, expected an object/],
])('environments are refused when they are no objects with settings: %j', (environments, problem) => {
  expect(problemsOf({ environments })).toEqual([expect.stringMatching(problem)]);
});
