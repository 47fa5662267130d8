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
const silence = '1h to 168h, or 1d to 7d';
const runbook =
  'an https URL without credentials and heading, of at most 512 characters, ' +
  'such as https://wiki.example.com/payhooks/runbook';
const role = 'the ARN of an IAM role (an asterisk stands for any characters)';
const topic = 'the ARN of a standard topic of SNS';
const key =
  'own, or the ARN of a symmetric KMS key (not of an alias), in the region and account of the stack';
const host =
  'a host name in lower case, such as hooks.example.com, without scheme, port, wildcard or final dot';
const certificate = 'the ARN of a certificate of AWS Certificate Manager';
const s3Object = 'an S3 object, such as s3://bucket/key';
const version = 'the version id of an S3 object in a bucket with versioning';
const base = 'a whole number from 0 to 999999999999999';
const table = '3 to 255 letters, digits, _, . and -';
const stream = 'the ARN of the stream of a DynamoDB table, which its LatestStreamArn shows';
const secret = 'the complete ARN of a secret, with the six characters at its end';
const secretPrefix = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret';

const manyMeanings = Object.fromEntries(
  Array.from({ length: 100 }, (_, number) => [`charge.number-${number}`, 'history']),
);

/** A setting, a value that is refused, and what the message says is expected. */
export const wrongSettings: readonly (readonly [setting: string, given: unknown, expected: string])[] = [
  ['environmentName', 'Production', name],
  ['environmentName', '1st', name],
  ['environmentName', 'a'.repeat(31), name],
  ['environmentName', 7, name],
  ['signatureHeader', 'x service', header],
  ['signatureHeader', 'x-signature:', header],
  ['signatureHeader', '', header],
  ['signatureHeader', 'Payhooks-Heartbeat', 'another header: this one marks a heartbeat'],
  ['paymentServiceBaseUrl', 'http://pay.example.com', address],
  ['paymentServiceBaseUrl', 'http://127.0.0.1.pay.example', address],
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
  ['eventsTableName', 'ev', table],
  ['eventsTableName', 'arn:aws:dynamodb:eu-central-1:111122223333:table/events', table],
  ['ordersTableStreamArn', 'arn:aws:dynamodb:eu-central-1:111122223333:table/orders', stream],
  ['ordersTableStreamArn', 'orders', stream],
  ['sequenceBase', -1, base],
  ['sequenceBase', '1,000', base],
  ['sequenceBase', 2 ** 60, base],
  ['keySecretArn', 'payments/key', secret],
  ['keySecretArn', `${secretPrefix}:payments/key`, secret],
  ['keySecretArn', `${secretPrefix}:*-AbCdEf`, secret],
  ['tokenSecretArn', 'arn:aws:ssm:eu-central-1:111122223333:parameter/token-AbCdEf', secret],
  ['webhookRequestsPerSecond', 0, rate],
  ['webhookBurst', '-1', rate],
  ['queryRequestsPerSecond', 1.5, rate],
  ['queryBurst', '1e3', rate],
  ['consumerConcurrencyMax', 1, 'a whole number from 2 to 1000'],
  ['consumerConcurrencyMax', '1001', 'a whole number from 2 to 1000'],
  ['verifierReservedConcurrency', 0, 'a whole number from 1 to 100000'],
  ['verifierReservedConcurrency', 1.5, 'a whole number from 1 to 100000'],
  ['verifierProvisionedConcurrency', '-1', 'a whole number from 1 to 100000'],
  ['recordWithinSeconds', 11, 'a whole number from 0 to 10'],
  ['feedWithinSeconds', '0.5', 'a whole number from 0 to 10'],
  ['tracing', 'active', flag],
  ['logLevel', 'debug', 'one of warn, info'],
  ['changesSettleSeconds', 4, 'a whole number from 5 to 600'],
  ['changesSettleSeconds', '601', 'a whole number from 5 to 600'],
  ['changesSettleSeconds', 7.5, 'a whole number from 5 to 600'],
  ['logRetentionDays', 31, retention],
  ['logRetentionDays', 'never', retention],
  ['accessLogRetentionDays', 366, retention],
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
  ['expectWebhooksWithin', '0h', silence],
  ['expectWebhooksWithin', '169h', silence],
  ['expectWebhooksWithin', '8d', silence],
  ['expectWebhooksWithin', '90m', silence],
  ['expectWebhooksWithin', 6, silence],
  ['dashboard', 'no', flag],
  ['eventsAtRiskAlarm', 1, flag],
  ['alarmTopicArn', 'alarms', topic],
  ['alarmTopicArn', 'arn:aws:sns:eu-west-1:111122223333:alarms.fifo', topic],
  ['ticketTopicArn', 'arn:aws:sqs:eu-west-1:111122223333:tickets', topic],
  ['alarmOkActions', 'never', flag],
  ['alarmEmail', 'operator', 'an e-mail address'],
  ['runbookUrl', 'docs/runbook.md', runbook],
  ['runbookUrl', 'http://wiki.example.com/runbook', runbook],
  ['runbookUrl', 'https://wiki.example.com/runbook#eventsdelayed', runbook],
  ['runbookUrl', `https://wiki.example.com/${'r'.repeat(488)}`, runbook],
  ['bootstrapQualifier', 'Production', '1 to 10 lower-case letters and digits'],
  ['bootstrapQualifier', 'productions', '1 to 10 lower-case letters and digits'],
  ['encryptionKeyArn', '', key],
  ['encryptionKeyArn', true, key],
  ['encryptionKeyArn', 'Own', key],
  ['encryptionKeyArn', '5a1b2c3d-1111-4222-8333-444455556666', key],
  ['encryptionKeyArn', 'alias/payhooks', key],
  ['encryptionKeyArn', 'arn:aws:kms:eu-central-1:123456789012:alias/payhooks', key],
  ['encryptionKeyArn', 'arn:aws:kms:eu-central-1:123456789012:key/payhooks', key],
  ['encryptionKeyArn', 'arn:aws:kms::123456789012:key/5a1b2c3d-1111-4222-8333-444455556666', key],
  ['operatorRoleArn', 'operator', role],
  ['operatorRoleArn', 'arn:aws:iam::123456789012:user/operator', role],
];
