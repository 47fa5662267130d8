/** An order id that nobody else names. It begins with the time of sending. */
export const heartbeatOrderId = (sentAt: Date, newId: () => string): string =>
  `${sentAt.toISOString()} ${newId()}`;

/** The body of a heartbeat: a small event as API document 2.3 describes them. */
export function heartbeatEvent(orderId: string, sentAt: Date, newId: () => string): Buffer {
  const event = {
    id: newId(),
    event_name: 'transaction.paid',
    sandbox: true,
    payload: {
      transaction: {
        id: newId(),
        amount: '0.01',
        status: 1,
        currency: 'USD',
        order_id: orderId,
        created_at: sentAt.toISOString().replace('Z', '000Z'),
      },
    },
  };
  return Buffer.from(JSON.stringify(event));
}

/** Milliseconds since the epoch; `NaN` for any other order id. */
export const sentAtOf = (orderId = ''): number => Date.parse(sentAtPattern.exec(orderId)?.[0] ?? '');

const sentAtPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= )/;
