/** A live event of the transaction T over 100.00 USD, unless the fields say otherwise. */
export interface EventFields {
  readonly id: string;
  /** The last part of the event name: `transaction.paid` by default. */
  readonly action?: string;
  /** `null` and undefined name no order. */
  readonly order?: string | null;
  readonly transaction?: string | null;
  readonly amount?: string;
  readonly sandbox?: boolean;
  /** Other bytes without another meaning. */
  readonly attempt?: number;
}

export function eventBody({
  id,
  action = 'paid',
  order,
  transaction = 'T',
  amount = '100.00',
  sandbox = false,
  attempt,
}: EventFields): Uint8Array {
  const payload = { transaction: { id: transaction, amount, currency: 'USD', order_id: order } };
  const event = { id, event_name: `transaction.${action}`, sandbox, payload, attempt };
  return Buffer.from(JSON.stringify(event));
}

/** A message with this event. */
export const sent = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });

export const payment = sent({ id: 'p', order: 'A' });
/** It names no order. */
export const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
