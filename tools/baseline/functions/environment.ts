/** The variables of both functions; each reads its own. */
export const environment = {
  secretArn: process.env['SECRET_ARN'] ?? '',
  signatureHeader: process.env['SIGNATURE_HEADER'] ?? '',
  queueUrl: process.env['QUEUE_URL'] ?? '',
  eventsTableName: process.env['EVENTS_TABLE_NAME'] ?? '',
  ordersTableName: process.env['ORDERS_TABLE_NAME'] ?? '',
  idempotencyTableName: process.env['IDEMPOTENCY_TABLE_NAME'] ?? '',
};
