/** Invented answers; a test checks each against its schema. */
export const orderExample = {
  order_id: 'order-1001',
  mode: 'live',
  status: 'refunded',
  attention: [],
  transactions: [
    {
      id: '8c0b1a5e-66a4-4f83-8f0e-1f3a3f0f5d21',
      status: 'refunded',
      amount: '100.00',
      currency: 'USD',
      created_at: '2026-11-21T09:59:58.123456Z',
    },
  ],
  events: [
    {
      id: '0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11',
      event_name: 'transaction.paid',
      received_at: '2026-11-21T10:00:00.000Z',
    },
    {
      id: '5b7a9f0d-2d3c-4b1a-8e6f-7a1b2c3d4e5f',
      event_name: 'transaction.refunded',
      received_at: '2026-11-21T10:05:00.000Z',
    },
  ],
  sequence: 2,
  updated_at: '2026-11-21T10:05:00.061Z',
};

export const orderListExample = { orders: [orderExample], next_cursor: null };

const recordExample = {
  outcome: 'applied',
  transaction_id: '8c0b1a5e-66a4-4f83-8f0e-1f3a3f0f5d21',
  recorded_at: '2026-11-21T10:00:00.058Z',
  key_id: '9a76d0a46113',
  body_sha256: 'ded48c4a9ec46fb7f9dcc7206ceff0bd15cf6fee55105ff0f31ad3e41f1f3c22',
};

export const orderEventsExample = {
  order_id: 'order-1001',
  mode: 'live',
  events: [
    {
      id: '0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11',
      event_name: 'transaction.paid',
      received_at: '2026-11-21T10:00:00.000Z',
      ...recordExample,
    },
  ],
};

export const eventExample = {
  id: '0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11',
  mode: 'live',
  ...recordExample,
  reason: null,
  event_name: 'transaction.paid',
  order_id: 'order-1001',
  received_at: '2026-11-21T10:00:00.000Z',
  body_base64: 'eyJpZCI6IjBkMmY2YTRlLTVmMGMtNGM2ZS05YTU1LTBjMWY2ZjJmN2ExMSIs4oCmfQ==',
  payload: { transaction: { order_id: 'order-1001', amount: '100.00', currency: 'USD' } },
  others: [],
};
