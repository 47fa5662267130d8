import type { StoredEventRecord } from '@payhooks/order-client';

/** Whether the record is a second body in the order of its event: no judgement changes which one counts. */
export function isInOrderOfEvent(
  { waiting, order_id }: StoredEventRecord,
  records: readonly StoredEventRecord[],
): boolean {
  if (waiting !== 'conflict' || order_id === null) return false;
  return records.some(
    (one) => one.record === 'event' && one.outcome === 'applied' && one.order_id === order_id,
  );
}
