/** A value for every setting, also those that are off by default: the largest stack that can be deployed. */
export const everySetting = {
  signatureHeader: 'x-service-signature',
  paymentServiceBaseUrl: 'https://api.payment-service.example',
  paymentServiceAuthentication: 'oauth',
  webhookUrl: 'https://hooks.merchant.example/webhooks/payments',
  requiredEvents: ['transaction.paid', 'transaction.refunded'],
  keepData: true,
  webhookRequestsPerSecond: 1_000,
  webhookBurst: 2_000,
  queryRequestsPerSecond: 100,
  queryBurst: 200,
  consumerConcurrencyMax: 50,
  logRetentionDays: 30,
  eventRetentionDays: 400,
  feedArchiveDays: 30,
  alarmEmail: 'oncall@merchant.example',
  operatorRoleArn: 'arn:aws:iam::111122223333:role/operator',
} as const;
