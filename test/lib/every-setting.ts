/** A value for every setting that adds to the stack: the largest one that can be deployed. */
export const everySetting = {
  signatureHeader: 'x-service-signature',
  paymentServiceBaseUrl: 'https://api.payment-service.example',
  paymentServiceAuthentication: 'oauth',
  webhookUrl: 'https://hooks.merchant.example/webhooks/payments',
  webhookDomainName: 'origin.merchant.example',
  webhookCertificateArn:
    'arn:aws:acm:eu-central-1:111122223333:certificate/5a1b2c3d-1111-4222-8333-444455556666',
  webhookTruststoreUri: 's3://trust.merchant.example/payment-service/authorities.pem',
  webhookTruststoreVersion: 'Vq3.nT7wXk_R1sYb2LmZ',
  requiredEvents: ['transaction.paid', 'transaction.refunded'],
  eventMeanings: { 'charge.won': 'history', 'charge.lost': 'refunded' },
  bootstrapQualifier: 'payments',
  keepData: true,
  changesIndex: true,
  transactionRows: true,
  webhookRequestsPerSecond: 1_000,
  consumerConcurrencyMax: 50,
  batchWindowSeconds: 10,
  verifierReservedConcurrency: 100,
  logLevel: 'info',
  logRetentionDays: 30,
  accessLogRetentionDays: 365,
  evidenceRetentionDays: 3_653,
  eventRetentionDays: 400,
  backupRetentionDays: 90,
  eventsTableClass: 'infrequent-access',
  expectWebhooksWithin: '30h',
  approvals: ['admit', 'resolve', 'replay', 'erase'],
  webhooksPerHourMax: 50_000,
  deadMansSwitchUrl: 'https://switch.merchant.example/ping/payhooks',
  ticketTopicArn: 'arn:aws:sns:eu-central-1:111122223333:tickets',
  alarmEmail: 'oncall@merchant.example',
  runbookUrl: 'https://wiki.merchant.example/payhooks/runbook',
  encryptionKeyArn: 'own',
  operatorRoleArn: 'arn:aws:iam::111122223333:role/operator',
  tableAdminRoleArn: 'arn:aws:iam::111122223333:role/table-admin',
} as const;

/** The settings for resources that exist already; with them the stack has none of its own. Also what they require. */
export const adoptedResources = {
  eventsTableName: 'payhooks-production-events-20261122T081500Z',
  ordersTableStreamArn:
    'arn:aws:dynamodb:eu-central-1:111122223333:table/' +
    'payhooks-production-orders-20261122T081500Z/stream/2026-11-01T00:00:00.000',
  keySecretArn:
    'arn:aws:secretsmanager:eu-central-1:111122223333:secret:VerifierKeySecret9C04C57B-Gh1JkL-AbCdEf',
  tokenSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:payments/token-MnOpQr',
  sealSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:SealSecret-StUvWx-YzAbCd',
  sequenceBase: 2_000_000_000,
} as const;
