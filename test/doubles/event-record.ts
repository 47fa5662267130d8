/** A body under an event id as the operations API shows it: of a live payment that is applied. */
export function eventRecord(change: Readonly<Record<string, unknown>> = {}) {
  return {
    record: 'event',
    outcome: 'applied',
    reason: null,
    waiting: null,
    event_name: 'transaction.paid',
    ...{ meaning: 'paid', amount: '100.00', currency: 'USD' },
    order_id: 'order-1',
    transaction_id: 'txn-1',
    received_at: '2026-11-22T02:10:00.000Z',
    recorded_at: '2026-11-22T02:10:00.100Z',
    key_id: '45d4491906d1',
    signature: 'ab'.repeat(32),
    body_sha256: '1'.repeat(64),
    has_body: true,
    judged: null,
    erased: null,
    counts: true,
    ...change,
  };
}

/** A second body under the id of the first, which waits for a person. */
export const conflictRecord = (change: Readonly<Record<string, unknown>> = {}) =>
  eventRecord({
    record: 'conflict',
    outcome: 'conflict',
    waiting: 'conflict',
    body_sha256: '2'.repeat(64),
    counts: false,
    ...change,
  });
