export interface FactFields {
  readonly transactionId?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly createdAt?: string | null;
}

/** The fact of an event as an order's row holds it; written without the code under test. */
export function fact(
  eventId: string,
  action: 'paid' | 'refunded' | 'failed' | 'disputed' | 'charged_back' | 'updated' | 'captured',
  { transactionId = 'T', amount = '100.00', currency = 'USD', createdAt = null }: FactFields = {},
): string {
  const eventName = `transaction.${action}`;
  return JSON.stringify(['event.1', eventId, eventName, transactionId, amount, currency, createdAt]);
}

export const paid = (eventId: string, fields?: FactFields): string => fact(eventId, 'paid', fields);
