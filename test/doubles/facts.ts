export interface FactFields {
  readonly transactionId?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly createdAt?: string | null;
}

const meanings = {
  paid: 'paid',
  refunded: 'refunded',
  failed: 'failed',
  disputed: 'disputed',
  charged_back: 'disputed',
  updated: 'history',
  captured: 'history',
} as const;

/** The fact of an event as an order's row holds it; written without the code under test. */
export function fact(
  eventId: string,
  action: keyof typeof meanings,
  { transactionId = 'T', amount = '100.00', currency = 'USD', createdAt = null }: FactFields = {},
): string {
  const eventName = `transaction.${action}`;
  return JSON.stringify([meanings[action], eventId, eventName, transactionId, amount, currency, createdAt]);
}

export const paid = (eventId: string, fields?: FactFields): string => fact(eventId, 'paid', fields);
